#include "runtime/communication/StagingLayout.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "runtime/plan/Box.h"
#include "runtime/plan/Buckets.h"
#include "runtime/plan/LoopRuns.h"

namespace sbp::communication {
namespace {

constexpr TransferEnd kEnds[] = {TransferEnd::kSend, TransferEnd::kReceive};

int64_t aligned(int64_t bytes) {
  return (bytes + plan::kBufferAlignment - 1) / plan::kBufferAlignment *
         plan::kBufferAlignment;
}

int64_t bytesOf(plan::ElementType type, const std::vector<int64_t>& shape) {
  return plan::numElements(shape) * plan::byteWidth(type);
}

/// Returns the bytes of staging memory that `tasks`, which are staged, take.
int64_t bytesTakenBy(const std::vector<plan::CollectiveTask>& tasks) {
  int64_t end = 0;
  for (const plan::CollectiveTask& task : tasks) {
    end = std::max(end, task.in + bytesOf(task.elementType, task.inShape));
    end = std::max(end, task.out + bytesOf(task.elementType, task.outShape));
  }
  return aligned(end);
}

/// Returns the largest number of runs of each end of each transfer that
/// `program` may have under way at once: by transfer and end. If messages
/// decide the order of a loop, all runs of a step may be under way.
std::vector<std::vector<int64_t>> mostUnderWay(
    const plan::Entry& entry, const plan::EntryProgram& program) {
  std::vector<std::vector<int64_t>> now(entry.transfers.size(),
                                        std::vector<int64_t>(std::size(kEnds)));
  std::vector<std::vector<int64_t>> most = now;
  const bool followsOrder = std::none_of(
      program.loops.begin(), program.loops.end(),
      [](const plan::Loop& loop) { return loop.messages.has_value(); });
  if (!followsOrder) {
    for (size_t number = 0; number < most.size(); ++number)
      most[number].assign(std::size(kEnds), entry.transfers[number].times);
    return most;
  }
  // After this many steps, the order of overlapping steps repeats.
  const int64_t numSteps = 2 * entry.maxSkew + 2;
  for (int64_t iteration = -entry.maxSkew; iteration < numSteps + entry.maxSkew;
       ++iteration)
    for (const plan::TaskRange& range :
         plan::taskRangesOf(program, entry.maxSkew, iteration, numSteps))
      for (int64_t index = range.first; index < range.last; ++index) {
        const auto* task =
            std::get_if<plan::TransferTask>(&program.tasks[index]);
        if (!task) continue;
        const auto end = static_cast<size_t>(endOf(task->kind));
        int64_t& count = now[task->transfer][end];
        count += plan::isFinish(task->kind) ? -1 : 1;
        most[task->transfer][end] = std::max(most[task->transfer][end], count);
      }
  return most;
}

}  // namespace

TransferEnd endOf(plan::TransferTask::Kind kind) {
  using Kind = plan::TransferTask::Kind;
  return kind == Kind::kStartSend || kind == Kind::kFinishSend
             ? TransferEnd::kSend
             : TransferEnd::kReceive;
}

std::vector<plan::CollectiveTask> StagingLayout::staged(
    std::vector<plan::CollectiveTask> tasks) {
  int64_t next = 0;
  for (plan::CollectiveTask& task : tasks) {
    const bool isInPlace = task.in == task.out;
    task.in = next;
    next += aligned(bytesOf(task.elementType, task.inShape));
    task.out = isInPlace ? task.in : next;
    if (!isInPlace) next += aligned(bytesOf(task.elementType, task.outShape));
  }
  return tasks;
}

StagingLayout::StagingLayout(const plan::Plan& plan, size_t entry,
                             int64_t rank) {
  const plan::EntryProgram& program = plan.programOf(rank).entries[entry];
  const std::vector<plan::Task>& tasks = program.tasks;
  for (size_t first = 0; first < tasks.size();) {
    const size_t last = plan::bucketEnd(tasks, static_cast<int64_t>(first));
    std::vector<plan::CollectiveTask> bucket;
    for (size_t index = first; index < last; ++index)
      if (const auto* task = std::get_if<plan::CollectiveTask>(&tasks[index]))
        bucket.push_back(*task);
    bytes_ = std::max(bytes_, bytesTakenBy(staged(std::move(bucket))));
    first = last;
  }
  for (const plan::Loop& loop : program.loops)
    if (loop.messages)
      bytes_ =
          std::max(bytes_, bytesTakenBy(staged({loop.messages->agreement})));
  const std::vector<plan::Transfer>& transfers = plan.entries[entry].transfers;
  const auto most = mostUnderWay(plan.entries[entry], program);
  for (size_t number = 0; number < transfers.size(); ++number) {
    slots_.emplace_back();
    for (TransferEnd end : kEnds) {
      const plan::Tensor& tensor = end == TransferEnd::kSend
                                       ? transfers[number].source
                                       : transfers[number].target;
      const TransferSlots slots = {
          bytes_, aligned(plan::localBytes(plan.groupOf(tensor), tensor, rank)),
          most[number][static_cast<size_t>(end)]};
      slots_.back().push_back(slots);
      bytes_ += slots.slotBytes * slots.numSlots;
    }
  }
}

}  // namespace sbp::communication
