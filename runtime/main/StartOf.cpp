#include "runtime/main/StartOf.h"

#include <string>
#include <vector>

#include "runtime/data/Fingerprint.h"
#include "runtime/status/Status.h"

namespace sbp::program {
namespace {

using bootstrap::Item;
using train::LearningRate;

/// An item whose value is also what people know it by.
template <typename Value>
Item plain(const std::string& label, const Value& value) {
  return {label, fmt::format("{}", value)};
}

/// A file, by what it holds. That it cannot be read is said later, by rank 0
/// for all, where it is so on all.
Item file(const std::string& label, const std::string& path,
          const std::string& name) {
  if (path.empty()) return {label, ""};
  const auto content = data::fingerprint(path);
  if (!content.ok())
    return {label, "unreadable", name + " (which cannot be read)"};
  return {label, *content, fmt::format("{} ({})", name, *content)};
}

Item file(const std::string& label, const std::string& path) {
  return file(label, path, path.substr(path.rfind('/') + 1));
}

const char* nameOf(LearningRate::Schedule schedule) {
  switch (schedule) {
    case LearningRate::Schedule::kConstant:
      return "constant";
    case LearningRate::Schedule::kLinear:
      return "linear";
    case LearningRate::Schedule::kCosine:
      return "cosine";
  }
  return "";
}

std::string stepsOf(const Run& run) {
  if (run.options.numSteps > 0) return fmt::format("{}", run.options.numSteps);
  return run.selection.action == Action::kTrain ? fmt::format("{}", kUsualSteps)
                                                : "";
}

}  // namespace

bootstrap::Start startOf(const Run& run) {
  const Options& options = run.options;
  const LearningRate& rate = options.learningRate;
  bootstrap::Start start = {
      file("program", "/proc/self/exe",
           run.plan.model.empty() ? "unnamed" : run.plan.model),
      plain("--entry", run.entry().name),
      plain("--sample", options.sampleLength),
      plain("--steps", stepsOf(run)),
      plain("--lr", rate.peak),
      plain("--warmup", rate.warmupSteps),
      plain("--schedule", nameOf(rate.schedule)),
      plain("--min-lr", rate.minimum),
      plain("--seed", options.seed),
      file("--text", options.textPath),
      file("--load", options.loadPath),
      plain("--save", options.savePath),
      plain("--prompt", options.prompt),
      plain("--temperature", options.choice.temperature),
      plain("--top-k", options.choice.topK),
  };
  for (const data::NamedPath& input : options.data)
    start.push_back(file("--data " + input.name, input.path));
  for (const data::NamedPath& dump : options.dumps)
    start.push_back(plain("--dump " + dump.name, dump.path));
  return start;
}

}  // namespace sbp::program
