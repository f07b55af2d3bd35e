#include "runtime/data/Feed.h"

#include <algorithm>

#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"
#include "runtime/text/Counted.h"

namespace sbp::data {
namespace {

/// Reading samples in the order of the file is about this many times faster
/// than in the order of the shuffled stream.
constexpr int64_t kScanAdvantage = 8;

/// Whether `input` can be fed from a text: integers of shape [batch, length].
bool takesText(const plan::Tensor& input) {
  return input.shape.size() == 2 &&
         (input.elementType == plan::ElementType::kI32 ||
          input.elementType == plan::ElementType::kI64);
}

/// Returns the path of the text or the token ids; empty if there is neither.
const std::string& tokensPathOf(const FeedOptions& options) {
  return options.textPath.empty() ? options.tokensPath : options.textPath;
}

/// Returns the tokens that each input takes from a text or token ids, by the
/// input's index in `entry`. Inputs that have a file of their own are excluded.
absl::StatusOr<std::map<size_t, TextRole>> textInputs(
    const plan::Entry& entry, const FeedOptions& options) {
  std::map<size_t, TextRole> roles;
  if (tokensPathOf(options).empty()) return roles;
  const auto hasFile = [&](const plan::Tensor& input) {
    return std::any_of(
        options.files.begin(), options.files.end(),
        [&](const NamedPath& file) { return file.name == input.name; });
  };
  for (size_t i = 0; i < entry.inputs.size(); ++i) {
    if (hasFile(entry.inputs[i])) continue;
    if (entry.inputs[i].name == "tokens") roles[i] = TextRole::kTokens;
    if (entry.inputs[i].name == "targets") roles[i] = TextRole::kTargets;
  }
  if (!roles.empty()) return roles;
  for (size_t i = 0; i < entry.inputs.size() && roles.size() < 2; ++i)
    if (!hasFile(entry.inputs[i]) && takesText(entry.inputs[i]))
      roles[i] = roles.empty() ? TextRole::kTokens : TextRole::kTargets;
  if (roles.empty())
    return error(
        "entry \"{}\" has no input of integers of shape [batch, length] that "
        "{} could feed",
        entry.name, tokensPathOf(options));
  return roles;
}

std::string namesOf(const std::vector<plan::Tensor>& tensors) {
  std::vector<std::string> names;
  for (const plan::Tensor& tensor : tensors)
    names.push_back(fmt::format("\"{}\"", tensor.name));
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

absl::StatusOr<std::shared_ptr<const TokenFile>> openTokens(
    const FeedOptions& options) {
  SBP_ASSIGN_OR_RETURN(
      TokenFile file,
      options.textPath.empty()
          ? TokenFile::open(options.tokensPath, options.tokenType)
          : TokenFile::openText(options.textPath));
  return std::make_shared<const TokenFile>(std::move(file));
}

absl::Status checkFileNames(const plan::Entry& entry,
                            const FeedOptions& options) {
  std::map<std::string, std::string> paths;
  for (const NamedPath& file : options.files) {
    const bool isInput =
        std::any_of(entry.inputs.begin(), entry.inputs.end(),
                    [&](const auto& input) { return input.name == file.name; });
    if (!isInput)
      return error(
          "there is data for \"{}\", but the inputs of entry \"{}\" are: {}",
          file.name, entry.name, namesOf(entry.inputs));
    if (!paths.emplace(file.name, file.path).second)
      return error("input \"{}\" has two files, {} and {}", file.name,
                   paths[file.name], file.path);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Feed> Feed::open(const plan::Entry& entry,
                                const FeedOptions& options,
                                const std::vector<plan::Group>& groups,
                                int64_t rank) {
  SBP_RETURN_IF_ERROR(checkFileNames(entry, options));
  SBP_ASSIGN_OR_RETURN(const auto textRoles, textInputs(entry, options));
  std::shared_ptr<const TokenFile> tokens;
  if (!textRoles.empty()) {
    SBP_ASSIGN_OR_RETURN(tokens, openTokens(options));
  }

  Feed feed;
  for (size_t i = 0; i < entry.inputs.size(); ++i) {
    const plan::Tensor& input = entry.inputs[i];
    const auto file =
        std::find_if(options.files.begin(), options.files.end(),
                     [&](const auto& file) { return file.name == input.name; });
    if (file != options.files.end()) {
      SBP_ASSIGN_OR_RETURN(auto source, openNpySource(file->path, input));
      SBP_RETURN_IF_ERROR(feed.add(entry, i, {file->path, ""},
                                   std::move(source), groups, rank));
    } else if (const auto role = textRoles.find(i); role != textRoles.end()) {
      SBP_ASSIGN_OR_RETURN(auto source,
                           makeTokenSource(tokens, role->second, input,
                                           options.order, options.seed));
      const InputFile fed = {
          tokens->path(), tokens->isText()
                              ? ""
                              : std::string(tensor::toString(tokens->type()))};
      SBP_RETURN_IF_ERROR(
          feed.add(entry, i, fed, std::move(source), groups, rank));
      if (role->second == TextRole::kTokens)
        feed.tokensPerBatch = plan::numElements(input.shape);
    } else if (std::find(options.inputsWithoutData.begin(),
                         options.inputsWithoutData.end(),
                         input.name) == options.inputsWithoutData.end()) {
      return error(
          "input \"{}\" ({}) of entry \"{}\" has no data: --data {}=FILE",
          input.name, plan::toString(input.elementType, input.shape),
          entry.name, input.name);
    }
  }
  if (feed.numSamples < feed.batchSize)
    return error("{} has {}; a batch takes {}", feed.firstPath,
                 text::counted(feed.numSamples, "sample"), feed.batchSize);
  feed.order.emplace(options.order, feed.numSamples, options.seed);
  return feed;
}

absl::Status Feed::add(const plan::Entry& entry, size_t input,
                       const InputFile& file, std::unique_ptr<Source> source,
                       const std::vector<plan::Group>& groups, int64_t rank) {
  const plan::Tensor& tensor = entry.inputs[input];
  Channel channel;
  channel.input = input;
  const plan::Group& group = groups[tensor.group];
  channel.isHere = group.has(rank);
  if (channel.isHere) channel.box = plan::localBox(group, tensor, rank);
  channel.isScalar = tensor.shape.empty();
  if (!channel.isScalar) {
    if (channel.isHere) {
      channel.rows = channel.box[0];
      channel.box.erase(channel.box.begin());
    }
    const int64_t batch = tensor.shape[0];
    if (batch == 0)
      return error("input \"{}\" takes batches of 0 samples", tensor.name);
    if (firstInput.empty()) {
      firstInput = tensor.name;
      firstPath = file.path;
      batchSize = batch;
      numSamples = source->numSamples();
    } else if (batch != batchSize) {
      return error("input \"{}\" takes {} per batch, input \"{}\" {}",
                   firstInput, text::counted(batchSize, "sample"), tensor.name,
                   batch);
    } else if (source->numSamples() != numSamples) {
      return error("{} has {}, {} has {}", firstPath,
                   text::counted(numSamples, "sample"), file.path,
                   source->numSamples());
    }
  }
  channel.rowBytes = plan::numElements(plan::shapeOf(channel.box)) *
                     plan::byteWidth(tensor.elementType);
  channel.source = std::move(source);
  inputFiles[tensor.name] = file;
  channels.push_back(std::move(channel));
  return absl::OkStatus();
}

absl::Status Feed::check(int64_t firstStep, int64_t lastStep, int64_t part,
                         int64_t numParts) const {
  SBP_RETURN_IF_ERROR(checkNumbers(firstStep, lastStep, part, numParts));
  return checkWhole();
}

absl::Status Feed::checkNumbers(int64_t firstStep, int64_t lastStep,
                                int64_t part, int64_t numParts) const {
  const int64_t firstRead = positionOf(firstStep);
  const int64_t numRead = (lastStep - firstStep) * batchSize;
  const auto inFile = [](int64_t position) { return position; };
  const auto inStream = [&](int64_t position) {
    return (*order)(firstRead + position).sample;
  };
  if (numRead >= numSamples / kScanAdvantage) {
    absl::Status status = checkSamples(inFile, numSamples, part, numParts);
    if (status.ok() || numRead >= numSamples) return status;
    // The sample may be one that this run does not read. The other ranks do not
    // know of it, so this rank checks all samples that the run reads.
    return checkSamples(inStream, numRead, /*part=*/0, /*numParts=*/1);
  }
  return checkSamples(inStream, numRead, part, numParts);
}

template <typename SampleAt>
absl::Status Feed::checkSamples(SampleAt sampleAt, int64_t count, int64_t part,
                                int64_t numParts) const {
  const int64_t end = count * (part + 1) / numParts;
  for (const Channel& channel : channels) {
    if (!channel.source->needsCheck()) continue;
    for (int64_t i = count * part / numParts; i < end; ++i)
      SBP_RETURN_IF_ERROR(
          channel.source->check(channel.isScalar ? 0 : sampleAt(i)));
  }
  return absl::OkStatus();
}

absl::Status Feed::checkWhole() const {
  for (const Channel& channel : channels)
    SBP_RETURN_IF_ERROR(channel.source->checkWhole());
  return absl::OkStatus();
}

std::vector<std::string> Feed::notes() const {
  std::vector<std::string> notes;
  for (const Channel& channel : channels) {
    const std::optional<std::string> note = channel.source->note();
    const bool isNew =
        note && std::find(notes.begin(), notes.end(), *note) == notes.end();
    if (isNew) notes.push_back(*note);
  }
  return notes;
}

absl::Status Feed::load(int64_t step,
                        const std::vector<device::LocalTensor>& inputs) const {
  for (const Channel& channel : channels)
    if (channel.isHere)
      SBP_RETURN_IF_ERROR(
          inputs[channel.input].write([&](std::byte* destination) {
            load(channel, step, destination);
            return absl::OkStatus();
          }));
  return absl::OkStatus();
}

void Feed::load(const Channel& channel, int64_t step,
                std::byte* destination) const {
  if (channel.isScalar) return channel.source->copySample({}, {}, destination);
  if (channel.rowBytes == 0) return;
  const int64_t first = positionOf(step) + channel.rows.begin;
  for (int64_t row = 0; row < channel.rows.size; ++row)
    channel.source->copySample((*order)(first + row), channel.box,
                               destination + row * channel.rowBytes);
}

}  // namespace sbp::data
