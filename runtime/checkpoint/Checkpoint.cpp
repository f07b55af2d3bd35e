#include "runtime/checkpoint/Checkpoint.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "runtime/json/Cursor.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"
#include "runtime/tensor/Gather.h"
#include "runtime/tensor/NotFinite.h"
#include "runtime/tensor/Rows.h"

namespace sbp::checkpoint {
namespace {

// JSON lists of names: what belongs to the optimiser, and what parameters were
// some steps before.
constexpr char kStateKey[] = "optimiser_state";
constexpr char kEarlierKey[] = "earlier_values";

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

/// What `metadata` says under `key`; other programs' files say nothing: no
/// step, no state.
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

/// Where each parameter of the plan is in the file; nullopt for state that the
/// file does not have.
using Places = std::vector<std::optional<size_t>>;

absl::StatusOr<Places> match(const std::string& path, const plan::Plan& plan,
                             const SafetensorsReader& file) {
  std::map<std::string, size_t> unread;
  for (size_t i = 0; i < file.tensors().size(); ++i)
    unread[file.tensors()[i].name] = i;
  Places places;
  const plan::Tensor* loadedState = nullptr;
  const plan::Tensor* missingState = nullptr;
  for (const plan::Parameter& parameter : plan.parameters) {
    const plan::Tensor& tensor = parameter.tensor;
    const auto found = unread.find(tensor.name);
    if (found == unread.end()) {
      if (!parameter.isState)
        return error("{} has no tensor \"{}\" ({}), which the program has",
                     path, tensor.name,
                     plan::toString(tensor.elementType, tensor.shape));
      if (!parameter.earlier) missingState = &tensor;
      places.push_back(std::nullopt);
      continue;
    }
    const TensorInfo& info = file.tensors()[found->second];
    if (info.elementType != tensor.elementType || info.shape != tensor.shape)
      return error("\"{}\" is {} in {}, but {} in the program", tensor.name,
                   plan::toString(info.elementType, info.shape), path,
                   plan::toString(tensor.elementType, tensor.shape));
    if (parameter.isState && !parameter.earlier) loadedState = &tensor;
    places.push_back(found->second);
    unread.erase(found);
  }
  if (loadedState && missingState)
    return error("{} has optimiser state \"{}\", but not \"{}\"", path,
                 loadedState->name, missingState->name);
  const auto isSaid = [&, states = namesIn(file.metadata(), kStateKey),
                       earlier = namesIn(file.metadata(), kEarlierKey)](
                          const std::string& name) {
    return states.count(name) + earlier.count(name) > 0;
  };
  for (const auto& [name, index] : unread)
    if (!isSaid(name))
      return error("{} has a tensor \"{}\" ({}), which the program has not",
                   path, name,
                   plan::toString(file.tensors()[index].elementType,
                                  file.tensors()[index].shape));
  return places;
}

/// With a number that is not finite, a checkpoint is good for nothing: no step
/// from there leads anywhere.
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
                  const std::vector<std::byte*>& local, const RunRecord& record,
                  communication::Communicator& communicator) {
  std::vector<TensorInfo> infos;
  for (const plan::Parameter& parameter : plan.parameters)
    infos.push_back({parameter.tensor.name, parameter.tensor.elementType,
                     parameter.tensor.shape});
  // What goes wrong with the file is kept until all tensors are gathered: the
  // other ranks take part in that to the end.
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
  SBP_ASSIGN_OR_RETURN(SafetensorsReader file, SafetensorsReader::open(path));
  absl::StatusOr<RunRecord> record = readRunRecord(file.metadata());
  if (!record.ok())
    return error("cannot read {}: {}", path, textOf(record.status()));
  return Checkpoint(path, std::move(file), *std::move(record));
}

std::string Checkpoint::foreignState(const plan::Plan& plan) const {
  const std::set<std::string> states = namesIn(file.metadata(), kStateKey);
  const bool isKnown = std::any_of(
      plan.parameters.begin(), plan.parameters.end(),
      [&](const plan::Parameter& parameter) {
        return parameter.isState && states.count(parameter.tensor.name) > 0;
      });
  return isKnown || states.empty() ? "" : *states.begin();
}

absl::Status Checkpoint::load(const plan::Plan& plan, int64_t rank,
                              const std::vector<std::byte*>& local) const {
  SBP_ASSIGN_OR_RETURN(const Places places, match(filePath, plan, file));
  for (size_t i = 0; i < plan.parameters.size(); ++i) {
    const plan::Tensor& tensor = plan.parameters[i].tensor;
    const plan::Group& group = plan.groupOf(tensor);
    if (!group.has(rank)) continue;
    // A run whose steps did not overlap goes on as if it had been so before.
    if (const auto& earlier = plan.parameters[i].earlier; earlier && !places[i])
      std::memcpy(local[i], local[earlier->parameter],
                  plan::localBytes(group, tensor, rank));
    if (!places[i]) continue;
    tensor::takeBox(file.elements(*places[i]), tensor.shape,
                    plan::localBox(group, tensor, rank),
                    plan::byteWidth(tensor.elementType), local[i]);
  }
  return absl::OkStatus();
}

}  // namespace sbp::checkpoint
