#include "runtime/proof/ProgramPoint.h"

#include "fmt/format.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Names.h"

namespace sbp::proof {
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
  std::string when = fmt::format("micro-batch {}{}", point.microBatch, step);
  if (loop.blocks.empty()) return when;
  const plan::Loop::Block& block = loop.blocks[point.block];
  if (block.isOnce) when = "all micro-batches" + step;
  return block.title.empty() ? when : fmt::format("{}, {}", block.title, when);
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
