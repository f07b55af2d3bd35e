#include "runtime/proof/ProgramPoint.h"

#include <string_view>

#include "fmt/format.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Names.h"
#include "runtime/plan/Words.h"

namespace sbp::proof {
namespace {

/// The kinds of blocks, by the letter that follows the number of the stage in a
/// block's name.
constexpr plan::Word<char> kKinds[] = {
    {'F', "forward"},
    {'B', "backward"},
    {'I', "backward of inputs"},
    {'W', "backward of weights"},
    {'R', "recomputation"},
    {'G', "reduction of gradients"},
};

/// Returns "stage 1, backward" for a block named "1B" or "1B behind"; other
/// names are quoted as they are.
std::string describeBlock(std::string_view name) {
  const size_t end = name.find_first_not_of("0123456789");
  if (end == 0 || end == std::string_view::npos)
    return fmt::format("block {}", name);
  for (const plan::Word<char>& kind : kKinds)
    if (kind.value == name[end])
      return fmt::format("stage {}, {}", name.substr(0, end), kind.text);
  return fmt::format("block {}", name);
}

}  // namespace

std::string describe(const plan::EntryProgram& program,
                     const ProgramPoint& point) {
  const std::string step =
      point.step > 0 ? fmt::format(", step {}", point.step) : "";
  if (point.loop < 0) {
    if (program.loops.empty()) return fmt::format("task {}", point.task);
    const bool isBefore = point.task < program.loops.front().first;
    return fmt::format("{} the micro-batches, task {}{}",
                       isBefore ? "before" : "after", point.task, step);
  }
  const plan::Loop& loop = program.loops[point.loop];
  const std::string microBatch =
      fmt::format("micro-batch {}{}", point.microBatch, step);
  if (loop.blocks.empty()) return microBatch;
  const plan::Loop::Block& block = loop.blocks[point.block];
  return fmt::format("{}, {}", describeBlock(block.name),
                     block.isOnce ? "all micro-batches" + step : microBatch);
}

std::string nameOf(const plan::Plan& plan, const plan::Entry& entry,
                   const plan::Task& task) {
  if (const auto* kernel = std::get_if<plan::KernelTask>(&task))
    return plan.kernels[kernel->kernel].op;
  if (const auto* end = std::get_if<plan::TransferTask>(&task))
    return fmt::format("{} of {}", plan::toString(end->kind),
                       entry.transfers[end->transfer].source.name);
  const auto& collective = std::get<plan::CollectiveTask>(task);
  if (collective.axes.empty()) return "a copy";
  return std::string(plan::toString(collective.kind));
}

}  // namespace sbp::proof
