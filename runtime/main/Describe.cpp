#include "runtime/main/Describe.h"

#include <algorithm>

#include "fmt/format.h"
#include "runtime/bytes/Bytes.h"
#include "runtime/hash/TextHash.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Names.h"
#include "runtime/text/Counted.h"
#include "runtime/text/Printable.h"
#include "runtime/train/Progress.h"

namespace sbp::program {
namespace {

using plan::Plan;
using plan::Tensor;

std::string typeText(const Tensor& tensor) {
  return plan::toString(tensor.elementType, tensor.shape);
}

std::string initializerText(const plan::Initializer& initializer) {
  const std::string_view kind = plan::toString(initializer.kind);
  if (initializer.kind == plan::Initializer::Kind::kConstant)
    return fmt::format("{} {}", kind, initializer.first);
  return fmt::format("{} {} {}", kind, initializer.first, initializer.second);
}

int64_t wholeBytes(const Tensor& tensor) {
  return plan::numElements(tensor.shape) * plan::byteWidth(tensor.elementType);
}

int64_t mostBytesOfARank(const Plan& plan, const Tensor& tensor) {
  int64_t most = 0;
  for (int64_t rank = 0; rank < plan.numRanks(); ++rank)
    most = std::max(most, plan::localBytes(plan.groupOf(tensor), tensor, rank));
  return most;
}

std::string describeParameters(const Plan& plan) {
  int64_t numElements = 0, weightBytes = 0, stateBytes = 0;
  size_t nameWidth = 0, typeWidth = 0, placementWidth = 0;
  for (const plan::Parameter& parameter : plan.parameters) {
    const Tensor& tensor = parameter.tensor;
    if (!parameter.isState) numElements += plan::numElements(tensor.shape);
    (parameter.isState ? stateBytes : weightBytes) += wholeBytes(tensor);
    nameWidth = std::max(nameWidth, text::printable(tensor.name).size());
    typeWidth = std::max(typeWidth, typeText(tensor).size());
    placementWidth =
        std::max(placementWidth, plan::toString(tensor.placement).size());
  }
  std::string lines = fmt::format(
      "parameters: {} numbers, {} weights, {} optimiser state\n",
      train::abbreviate(double(numElements)),
      bytes::toText(double(weightBytes)), bytes::toText(double(stateBytes)));
  for (const plan::Parameter& parameter : plan.parameters) {
    const Tensor& tensor = parameter.tensor;
    lines +=
        fmt::format("  {:{}}  {:{}}  {:{}}  {:>8} per rank  {}{}\n",
                    text::printable(tensor.name), nameWidth, typeText(tensor),
                    typeWidth, plan::toString(tensor.placement), placementWidth,
                    bytes::toText(double(mostBytesOfARank(plan, tensor))),
                    initializerText(parameter.initializer),
                    parameter.isState ? ", optimiser state" : "");
  }
  return lines;
}

/// Number of tasks in one run of an entry. Tasks of a loop count as often as
/// they run.
struct TaskCounts {
  int64_t kernels = 0, boxings = 0;
};

TaskCounts countTasks(const plan::EntryProgram& program) {
  TaskCounts counts;
  const std::vector<int64_t> times = plan::numRunsOfTasks(program);
  for (size_t i = 0; i < program.tasks.size(); ++i)
    (std::holds_alternative<plan::KernelTask>(program.tasks[i])
         ? counts.kernels
         : counts.boxings) += times[i];
  return counts;
}

/// Returns the ways in which GPUs can carry the messages of `entry`, by the
/// names of the option --collectives.
std::string waysOfMessages(const plan::Entry& entry) {
  int64_t numChannels = 1;
  for (const plan::Transfer& transfer : entry.transfers)
    numChannels = std::max(numChannels, transfer.channel + 1);
  std::vector<std::string> ways;
  if (entry.takesInOrder) ways.push_back("peer");
  if (entry.sendsInOrder)
    ways.push_back(
        fmt::format("nccl on {}", text::counted(numChannels, "channel")));
  ways.push_back("staged");
  return fmt::format("{}", fmt::join(ways, ", "));
}

std::string describeEntry(const Plan& plan, size_t index) {
  const plan::Entry& entry = plan.entries[index];
  std::string lines = fmt::format("entry {}\n", text::printable(entry.name));
  const auto list = [&](const char* role, const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors)
      lines += fmt::format(
          "  {} {}: {}{} {}\n", role, text::printable(tensor.name),
          typeText(tensor),
          tensor.below ? fmt::format(" from 0 to {}", *tensor.below - 1) : "",
          plan::toString(tensor.placement));
  };
  list("input", entry.inputs);
  list("output", entry.outputs);
  int64_t mostBytes = 0;
  TaskCounts most;
  for (const plan::Program& program : plan.programs) {
    const plan::EntryProgram& entryProgram = program.entries[index];
    mostBytes = std::max(mostBytes, entryProgram.arenaBytes);
    const TaskCounts counts = countTasks(entryProgram);
    if (counts.kernels + counts.boxings >= most.kernels + most.boxings)
      most = counts;
  }
  if (!entry.optimizer.empty())
    lines += fmt::format("  trained by {}\n", entry.optimizer);
  if (plan.isForGpus() && !entry.transfers.empty())
    lines +=
        fmt::format("  messages between stages: {}\n", waysOfMessages(entry));
  lines += fmt::format("  {}, {}, {} per rank\n",
                       text::counted(most.kernels, "kernel call"),
                       text::counted(most.boxings, "boxing step"),
                       bytes::toExactText(double(mostBytes)));
  return lines;
}

}  // namespace

std::string describe(const Plan& plan) {
  std::vector<std::string> axes;
  for (const plan::Axis& axis : plan.groups.front().axes)
    axes.push_back(
        fmt::format("{} = {}", text::printable(axis.name), axis.size));
  std::string lines = fmt::format(
      "{}: {}{}, {}{}, {}\n", text::printable(plan.model),
      text::counted(plan.numRanks(), "rank"),
      axes.empty() ? "" : fmt::format(" ({})", fmt::join(axes, ", ")),
      text::counted(int64_t(plan.kernels.size()), "kernel"),
      plan.isForGpus() ? " for GPUs" : "",
      text::counted(int64_t(plan.programs.size()), "program"));
  std::vector<std::string> plugins;
  for (const plan::Plugin& plugin : plan.plugins)
    plugins.push_back(text::printable(plugin.name + " " + plugin.version));
  if (!plugins.empty())
    lines += fmt::format("plug-ins: {}\n", fmt::join(plugins, ", "));
  lines += describeParameters(plan);
  for (size_t i = 0; i < plan.entries.size(); ++i)
    lines += describeEntry(plan, i);
  return lines;
}

std::string describeVersion(const Plan& plan, std::string_view planText) {
  return fmt::format(
      "{}, plan {:016x}, {}{}\n", text::printable(plan.model),
      hash::ofText(planText), text::counted(plan.numRanks(), "rank"),
      plan.compiler.empty() ? "" : fmt::format(", by {}", plan.compiler));
}

std::string describe(const std::vector<execute::Timing>& timings) {
  double kernelSeconds = 0, collectiveSeconds = 0;
  for (const execute::Timing& timing : timings)
    (timing.isCollective ? collectiveSeconds : kernelSeconds) += timing.seconds;
  const double seconds = kernelSeconds + collectiveSeconds;
  std::string lines = fmt::format("kernels {:.3f} s, boxing {:.3f} s\n",
                                  kernelSeconds, collectiveSeconds);
  for (const execute::Timing& timing : timings) {
    if (timing.count == 0) continue;
    lines += fmt::format("{:6.2f} %  {:9.3f} ms  {:8} x {:10.1f} us  {}\n",
                         100 * timing.seconds / std::max(seconds, 1e-12),
                         1e3 * timing.seconds, timing.count,
                         1e6 * timing.seconds / double(timing.count),
                         text::printable(timing.name));
  }
  return lines;
}

}  // namespace sbp::program
