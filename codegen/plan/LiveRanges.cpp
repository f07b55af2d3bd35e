#include "codegen/plan/LiveRanges.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

namespace sbp {

void findLiveRanges(EntryMemory& memory) {
  memory.firstLate = memory.list.tasks.size();
  llvm::append_range(memory.list.tasks,
                     std::exchange(memory.list.lateFinishes, {}));

  const std::vector<TaskBuffer>& buffers = memory.list.buffers;
  const std::vector<ListedTask>& tasks = memory.list.tasks;
  auto numTasks = static_cast<int64_t>(tasks.size());
  std::vector<LiveBuffer>& liveRanges = memory.liveRanges;
  liveRanges.assign(buffers.size(), {0, numTasks, 0});
  auto isNeededAt = [&](int64_t buffer, int64_t task) {
    LiveBuffer& range = liveRanges[memory.memoryOf[buffer]];
    range.first = std::min(range.first, task);
    range.last = std::max(range.last, task);
  };
  for (auto [index, task] : llvm::enumerate(tasks)) {
    auto number = static_cast<int64_t>(index);
    for (int64_t buffer : task.inputs) isNeededAt(buffer, number);
    for (int64_t buffer : task.outputs) isNeededAt(buffer, number);
    if (task.end) isNeededAt(task.end->buffer, number);
    int64_t scratchBytes = task.needs.scratchBytes;
    memory.scratchOf.push_back(
        scratchBytes > 0 ? static_cast<int64_t>(liveRanges.size()) : -1);
    if (scratchBytes > 0) liveRanges.push_back({scratchBytes, number, number});
  }
  // Operands and results of a bucket are live while any of its tasks runs.
  for (int64_t first = 0, end = 0; first < numTasks; first = end) {
    end = endOfBucket(tasks, first);
    for (int64_t task = first; task < end; ++task) {
      for (int64_t buffer : tasks[task].inputs) isNeededAt(buffer, end - 1);
      for (int64_t buffer : tasks[task].outputs) isNeededAt(buffer, first);
    }
  }
  for (const ListedLoop& loop : memory.list.loops) {
    if (loop.first == loop.last) continue;
    for (int64_t buffer : keptIn(loop, memory.list))
      isNeededAt(buffer, loop.last - 1);
    for (int64_t buffer : loop.carried) isNeededAt(buffer, loop.first);
    // Results of a block that runs once are made while blocks that stand before
    // it in the list still run.
    for (int64_t index = loop.first; index < loop.last; ++index)
      if (runsOnce(loop, tasks[index]))
        for (int64_t output : tasks[index].outputs) {
          isNeededAt(output, loop.first);
          isNeededAt(output, loop.last - 1);
        }
    if (loop.messages) {
      isNeededAt(loop.messages->buffer, loop.first);
      isNeededAt(loop.messages->buffer, loop.last - 1);
    }
    if (loop.iterationBuffer >= 0) {  // also where no task reads it
      isNeededAt(loop.iterationBuffer, loop.first);
      isNeededAt(loop.iterationBuffer, loop.last - 1);
    }
  }
  for (int64_t output : memory.list.outputs) isNeededAt(output, numTasks);
  for (const ListedGradient& gradient : memory.list.gradients)
    isNeededAt(gradient.buffer, memory.list.firstUpdate);
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    // Inputs stay: an entry may run again without new inputs.
    if (buffer.kind == TaskBuffer::Kind::Input)
      liveRanges[index].first = 0, liveRanges[index].last = numTasks;
    // A buffer that uses the memory of another one is placed with that one.
    if (buffer.kind != TaskBuffer::Kind::Parameter &&
        memory.memoryOf[index] == static_cast<int64_t>(index))
      liveRanges[index].bytes = buffer.bytes;
  }
}

}  // namespace sbp
