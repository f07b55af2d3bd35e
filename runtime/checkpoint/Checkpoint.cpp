#include "runtime/checkpoint/Checkpoint.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "runtime/json/Cursor.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"
#include "runtime/tensor/Gather.h"
#include "runtime/tensor/NotFinite.h"
#include "runtime/tensor/Rows.h"

namespace sbp::checkpoint {
namespace {

// Keys of the metadata. Each value is a JSON list of the names of tensors: of
// the optimiser state, and of copies of parameters from earlier steps.
constexpr char kStateKey[] = "optimiser_state";
constexpr char kEarlierKey[] = "earlier_values";

/// Returns the metadata of a checkpoint of `plan`.
Metadata describe(const plan::Plan& plan, const RunRecord& record) {
  json::Value states = json::Value::array();
  json::Value earlier = json::Value::array();
  for (const plan::Parameter& parameter : plan.parameters)
    if (parameter.isState)
      (parameter.earlier ? earlier : states).push_back(parameter.tensor.name);
  Metadata metadata = toMetadata(record);
  metadata[kStateKey] = states.dump();
  if (!earlier.empty()) metadata[kEarlierKey] = earlier.dump();
  return metadata;
}

/// Returns the tensor names that `metadata` lists under `key`. Returns none if
/// `metadata` has no such list, as in files of other programs.
std::set<std::string> namesIn(const Metadata& metadata, const char* key) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return {};
  const auto value = json::parse(found->second);
  if (!value.ok()) return {};
  absl::Status status;
  const auto names =
      json::Cursor(*value, status).list([](const json::Cursor& name) {
        return name.string();
      });
  return {names.begin(), names.end()};
}

/// The tensors of a file matched to the parameters of a plan.
struct Match {
  /// Index of each parameter's tensor in the file; nullopt if it has none.
  std::vector<std::optional<size_t>> indices;

  /// Parameters that the file lacks, without optimiser state.
  std::vector<const plan::Tensor*> missing;

  /// Tensors that the plan lacks, without optimiser state.
  std::vector<const TensorInfo*> extra;
};

Match match(const plan::Plan& plan, const TensorFiles& files) {
  std::map<std::string, size_t> unread;
  for (size_t i = 0; i < files.tensors().size(); ++i)
    unread[files.tensors()[i].name] = i;
  Match result;
  for (const plan::Parameter& parameter : plan.parameters) {
    const auto found = unread.find(parameter.tensor.name);
    if (found != unread.end()) {
      result.indices.emplace_back(found->second);
      unread.erase(found);
      continue;
    }
    result.indices.emplace_back();
    if (!parameter.isState) result.missing.push_back(&parameter.tensor);
  }
  const std::set<std::string> states = namesIn(files.metadata(), kStateKey);
  const std::set<std::string> earlier = namesIn(files.metadata(), kEarlierKey);
  for (const auto& [name, index] : unread)
    if (states.count(name) + earlier.count(name) == 0)
      result.extra.push_back(&files.tensors()[index]);
  return result;
}

/// Fails if `match`, of the file at `path`, has differences that `accepted`
/// does not allow.
absl::Status check(const Match& match, const std::string& path,
                   const plan::Plan& plan, const TensorFiles& files,
                   const AcceptedDifferences& accepted) {
  const plan::Tensor* loadedState = nullptr;
  const plan::Tensor* missingState = nullptr;
  for (size_t i = 0; i < plan.parameters.size(); ++i) {
    const plan::Parameter& parameter = plan.parameters[i];
    const plan::Tensor& tensor = parameter.tensor;
    if (parameter.isState && !parameter.earlier)
      (match.indices[i] ? loadedState : missingState) = &tensor;
    if (!match.indices[i]) continue;
    const TensorInfo& info = files.tensors()[*match.indices[i]];
    if (!tensor::canBecome(info.type, tensor.elementType) ||
        info.shape != tensor.shape)
      return error("\"{}\" is {} in {}, but {} in the program", tensor.name,
                   tensor::toString(info.type, info.shape), path,
                   plan::toString(tensor.elementType, tensor.shape));
  }
  if (!match.missing.empty() && !accepted.missing)
    return error(
        "{} has no tensor \"{}\" ({}), which the program has; --load-anyway "
        "missing initializes it",
        path, match.missing[0]->name,
        plan::toString(match.missing[0]->elementType, match.missing[0]->shape));
  if (loadedState && missingState && !accepted.missing)
    return error(
        "{} has optimiser state \"{}\", but not \"{}\"; --load-anyway missing "
        "initializes it",
        path, loadedState->name, missingState->name);
  if (!match.extra.empty() && !accepted.extra)
    return error(
        "{} has a tensor \"{}\" ({}), which the program lacks; --load-anyway "
        "extra ignores it",
        path, match.extra[0]->name,
        tensor::toString(match.extra[0]->type, match.extra[0]->shape));
  return absl::OkStatus();
}

/// Reads `box` of the parameter `wanted` to `destination`, and converts it to
/// the parameter's type. `elements` are the elements of the whole parameter in
/// the file at `path`.
absl::Status read(const std::string& path, const TensorInfo& info,
                  const std::byte* elements, const plan::Tensor& wanted,
                  const plan::Box& box, std::byte* destination) {
  const int64_t width = plan::byteWidth(wanted.elementType);
  if (info.type == tensor::storedTypeOf(wanted.elementType)) {
    tensor::takeBox(elements, wanted.shape, box, width, destination);
    return absl::OkStatus();
  }
  using Narrow = std::numeric_limits<int32_t>;
  using Wide = std::numeric_limits<int64_t>;
  const bool isNarrow = wanted.elementType == plan::ElementType::kI32;
  absl::Status status;
  tensor::forEachRow(
      wanted.shape, box, [&](int64_t whole, int64_t local, int64_t count) {
        const tensor::StoredNumbers numbers = {
            info.type, elements + whole * tensor::byteWidth(info.type), count};
        tensor::convert(numbers, wanted.elementType,
                        destination + local * width);
        if (tensor::fits(info.type, wanted.elementType)) return;
        const auto found =
            tensor::findOutside(numbers, isNarrow ? Narrow::min() : Wide::min(),
                                isNarrow ? Narrow::max() : Wide::max());
        if (found)
          status.Update(error("\"{}\" has {} in {}, which does not fit {}",
                              wanted.name, found->value, path,
                              plan::toString(wanted.elementType)));
      });
  return status;
}

/// Copies the elements of `from` to `to`, which has as many bytes.
absl::Status copy(const device::LocalTensor& from,
                  const device::LocalTensor& to) {
  return to.write([&](std::byte* destination) {
    return from.read([&](const std::byte* source) {
      std::memcpy(destination, source, from.bytes());
      return absl::OkStatus();
    });
  });
}

/// Returns the names of at most three tensors: "a, b, c and 4 more".
template <typename Tensor>
std::string namesOf(const std::vector<const Tensor*>& tensors) {
  constexpr size_t kMostNames = 3;
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(tensors.size(), kMostNames); ++i)
    names.push_back(tensors[i]->name);
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (tensors.size() <= kMostNames) return text;
  return fmt::format("{} and {} more", text, tensors.size() - kMostNames);
}

/// Fails if `whole` has a number that is not finite: no run could continue from
/// a checkpoint with such a number.
absl::Status checkFinite(const std::string& path,
                         const plan::Parameter& parameter,
                         const tensor::HostTensor& whole) {
  const auto found = tensor::findNotFinite(whole.elementType, whole.data.data(),
                                           plan::numElements(whole.shape));
  if (!found) return absl::OkStatus();
  return error("{} is not written: {} \"{}\" has {}", path,
               parameter.isState ? "optimiser state" : "parameter",
               parameter.tensor.name, tensor::toString(*found, whole.shape));
}

}  // namespace

absl::Status save(const std::string& path, const plan::Plan& plan,
                  const std::vector<device::LocalTensor>& local,
                  const RunRecord& record,
                  communication::Communicator& communicator) {
  std::vector<TensorInfo> infos;
  for (const plan::Parameter& parameter : plan.parameters)
    infos.push_back({parameter.tensor.name,
                     tensor::storedTypeOf(parameter.tensor.elementType),
                     parameter.tensor.shape});
  // An error of the file is kept until all tensors are gathered, because the
  // other ranks take part in gathering to the end.
  absl::Status written;
  std::optional<SafetensorsWriter> writer;
  if (communicator.rank() == 0) {
    auto created =
        SafetensorsWriter::create(path, infos, describe(plan, record));
    written = created.status();
    if (created.ok()) writer.emplace(*std::move(created));
  }
  for (size_t i = 0; i < plan.parameters.size(); ++i) {
    SBP_ASSIGN_OR_RETURN(
        const tensor::HostTensor whole,
        tensor::gather(communicator, plan.groupOf(plan.parameters[i].tensor),
                       plan.parameters[i].tensor, local[i]));
    if (writer && written.ok())
      written = checkFinite(path, plan.parameters[i], whole);
    if (writer && written.ok()) written = writer->write(whole);
  }
  if (writer && written.ok()) written = writer->commit();
  return written;
}

int64_t dataBytes(const plan::Plan& plan) {
  int64_t bytes = 0;
  for (const plan::Parameter& parameter : plan.parameters)
    bytes += plan::numElements(parameter.tensor.shape) *
             plan::byteWidth(parameter.tensor.elementType);
  return bytes;
}

absl::StatusOr<Checkpoint> Checkpoint::open(const std::string& path) {
  SBP_ASSIGN_OR_RETURN(TensorFiles files, TensorFiles::open(path));
  absl::StatusOr<RunRecord> record = readRunRecord(files.metadata());
  if (!record.ok())
    return error("cannot read {}: {}", path, textOf(record.status()));
  return Checkpoint(path, std::move(files), *std::move(record));
}

std::string Checkpoint::foreignState(const plan::Plan& plan) const {
  const std::set<std::string> states = namesIn(files.metadata(), kStateKey);
  const bool isKnown = std::any_of(
      plan.parameters.begin(), plan.parameters.end(),
      [&](const plan::Parameter& parameter) {
        return parameter.isState && states.count(parameter.tensor.name) > 0;
      });
  return isKnown || states.empty() ? "" : *states.begin();
}

absl::Status Checkpoint::load(const plan::Plan& plan, int64_t rank,
                              const std::vector<device::LocalTensor>& local,
                              const AcceptedDifferences& accepted) const {
  const Match matched = match(plan, files);
  SBP_RETURN_IF_ERROR(check(matched, filePath, plan, files, accepted));
  for (size_t i = 0; i < plan.parameters.size(); ++i) {
    const plan::Tensor& tensor = plan.parameters[i].tensor;
    const plan::Group& group = plan.groupOf(tensor);
    if (!group.has(rank)) continue;
    const std::optional<size_t>& index = matched.indices[i];
    // The file may come from a run whose steps did not overlap; then earlier
    // values are taken to be the current ones.
    if (const auto& earlier = plan.parameters[i].earlier; earlier && !index)
      SBP_RETURN_IF_ERROR(copy(local[earlier->parameter], local[i]));
    if (index)
      SBP_RETURN_IF_ERROR(local[i].write([&](std::byte* destination) {
        return read(filePath, files.tensors()[*index], files.elements(*index),
                    tensor, plan::localBox(group, tensor, rank), destination);
      }));
  }
  return files.checkWhole();
}

std::vector<std::string> Checkpoint::notes(const plan::Plan& plan) const {
  const Match matched = match(plan, files);
  std::vector<std::string> notes;
  std::map<std::pair<tensor::StoredType, plan::ElementType>,
           std::vector<const plan::Tensor*>>
      converted;
  for (size_t i = 0; i < plan.parameters.size(); ++i) {
    if (!matched.indices[i]) continue;
    const plan::Tensor& tensor = plan.parameters[i].tensor;
    const tensor::StoredType type = files.tensors()[*matched.indices[i]].type;
    if (type != tensor::storedTypeOf(tensor.elementType))
      converted[{type, tensor.elementType}].push_back(&tensor);
  }
  for (const auto& [types, tensors] : converted)
    notes.push_back(fmt::format(
        "{}: {} is read as {} in {}", filePath, tensor::toString(types.first),
        plan::toString(types.second), namesOf(tensors)));
  if (!matched.missing.empty())
    notes.push_back(fmt::format("{} lacks tensors, which are initialized: {}",
                                filePath, namesOf(matched.missing)));
  if (!matched.extra.empty())
    notes.push_back(fmt::format(
        "{} has tensors that the program lacks, which are ignored: {}",
        filePath, namesOf(matched.extra)));
  return notes;
}

}  // namespace sbp::checkpoint
