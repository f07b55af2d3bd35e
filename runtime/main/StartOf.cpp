#include "runtime/main/StartOf.h"

#include <optional>
#include <string>
#include <vector>

#include "runtime/checkpoint/TensorFiles.h"
#include "runtime/hash/TextHash.h"
#include "runtime/status/Status.h"

namespace sbp::program {
namespace {

using bootstrap::StartArgument;
using train::LearningRate;

/// Returns an argument whose value can be shown to people as it is.
template <typename Value>
StartArgument plain(const std::string& label, const Value& value) {
  return {label, fmt::format("{}", value)};
}

/// Returns an argument for a file, identified by its content. An error in
/// reading the file is not reported here, but later: if all ranks have the same
/// error, only rank 0 reports it.
StartArgument file(const ProgramRun& run, const std::string& label,
                   const std::string& path, const std::string& name) {
  if (path.empty()) return {label, ""};
  const auto content = run.fingerprints.of(path);
  if (!content.ok())
    return {label, "unreadable", name + " (which cannot be read)"};
  return {label, *content, fmt::format("{} ({})", name, *content)};
}

StartArgument file(const ProgramRun& run, const std::string& label,
                   const std::string& path) {
  return file(run, label, path, path.substr(path.rfind('/') + 1));
}

/// Returns an argument for --load: one file, or an index and the files that it
/// names, identified by their contents.
StartArgument loaded(const ProgramRun& run) {
  const std::string& path = run.options.loadPath;
  StartArgument argument = file(run, "--load", path);
  const auto files = checkpoint::TensorFiles::filesOf(path);
  if (!files.ok() || files->size() < 2) return argument;
  std::string contents;
  for (const std::string& each : *files)
    contents += file(run, "", each).value + "\n";
  argument.value = contents;
  argument.displayText +=
      fmt::format(", with files of content {:016x}", hash::ofText(contents));
  return argument;
}

/// Returns an argument for a setting: the given value, or the default. If no
/// value is given and a checkpoint is loaded, which may have one, the argument
/// has no value; the checkpoint is an argument of its own.
template <typename Value>
StartArgument chosen(const Options& options, const std::string& label,
                     const std::optional<Value>& given, const Value& defaults) {
  if (!given && !options.loadPath.empty()) return {label, ""};
  return plain(label, given.value_or(defaults));
}

/// Returns an argument for the number of batches. It has no value if the run
/// takes all batches, or if a checkpoint decides.
StartArgument steps(const ProgramRun& run) {
  const int64_t given = run.options.numSteps;
  if (given > 0) return plain("--steps", given);
  if (run.selection.action != Action::kTrain) return {"--steps", ""};
  return chosen(run.options, "--steps", std::optional<int64_t>(),
                kDefaultSteps);
}

std::optional<std::string> scheduleOf(const Options& options) {
  if (!options.schedule) return std::nullopt;
  return std::string(train::toString(*options.schedule));
}

const char* nameOf(OnNan onNan) {
  switch (onNan) {
    case OnNan::kStop:
      return "stop";
    case OnNan::kSkip:
      return "skip";
    case OnNan::kContinue:
      return "continue";
  }
  return "";
}

std::string acceptedDifferences(const Options& options) {
  std::vector<std::string> names;
  if (options.accepts(Difference::kData)) names.push_back("data");
  if (options.accepts(Difference::kOptimizer)) names.push_back("optimizer");
  if (options.accepts(Difference::kMissing)) names.push_back("missing");
  if (options.accepts(Difference::kExtra)) names.push_back("extra");
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace

bootstrap::StartArguments startOf(const ProgramRun& run) {
  const Options& options = run.options;
  const LearningRate defaults;
  bootstrap::StartArguments start = {
      file(run, "program", "/proc/self/exe",
           run.plan.model.empty() ? "unnamed" : run.plan.model),
      plain("--entry", run.entry().name),
      plain("--sample", options.sampleLength),
      steps(run),
      chosen(options, "--lr", options.peakRate, defaults.peak),
      chosen(options, "--warmup", options.warmupSteps, defaults.warmupSteps),
      chosen(options, "--schedule", scheduleOf(options),
             std::string(train::toString(defaults.schedule))),
      chosen(options, "--min-lr", options.minimumRate, defaults.minimum),
      plain("--on-nan", nameOf(options.onNan)),
      chosen(options, "--seed", options.seed, uint64_t{0}),
      file(run, "--text", options.textPath),
      file(run, "--tokens", options.tokensPath),
      plain("--token-type", tensor::toString(options.tokenType)),
      loaded(run),
      plain("--load-anyway", acceptedDifferences(options)),
      plain("--save", options.savePath),
      plain("--save-every", options.saveEvery),
      plain("--trace", options.tracePath),
      plain("--prompt", options.prompt),
      plain("--temperature", options.choice.temperature),
      plain("--top-k", options.choice.topK),
  };
  for (const data::NamedPath& input : options.data)
    start.push_back(file(run, "--data " + input.name, input.path));
  for (const data::NamedPath& dump : options.dumps)
    start.push_back(plain("--dump " + dump.name, dump.path));
  return start;
}

}  // namespace sbp::program
