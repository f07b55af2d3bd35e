#include "codegen/plan/EntryMemory.h"

#include <algorithm>

#include "codegen/plan/OrderUpdates.h"
#include "codegen/plan/ShareBuffers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "runtime/plan/Plan.h"

namespace sbp {

namespace {

/// Fails at a send of what depends on an update: whether there is one is not
/// decided yet when the others wait for it.
LogicalResult sendsNoUpdates(const TaskList& list) {
  for (const ListedTask& task : llvm::drop_begin(list.tasks, list.firstUpdate))
    if (task.end)
      return task.op->emitOpError()
             << "moves a tensor between groups that depends on an update of a "
                "parameter; what crosses is made before all updates";
  return mlir::success();
}

int64_t alignedBytes(int64_t bytes) {
  return llvm::alignTo(bytes, plan::kBufferAlignment);
}

/// Adds lives of the slots of all loops, and takes those of the buffers in
/// them.
void addSlots(EntryMemory& memory) {
  for (const ListedLoop& loop : memory.list.loops) {
    std::vector<SlotsInMemory>& ofLoop = memory.slots.emplace_back();
    for (ListedSlots& slots : slotsOf(loop, memory.list, memory.memoryOf)) {
      SlotsInMemory placed = {std::move(slots), 0,
                              static_cast<int64_t>(memory.lives.size())};
      for (int64_t buffer : placed.slots.buffers) {
        placed.bytes += alignedBytes(memory.lives[buffer].bytes);
        memory.lives[buffer].bytes = 0;
      }
      if (placed.bytes == 0) continue;  // tokens alone
      memory.lives.push_back(
          {placed.bytes * placed.slots.count, loop.first, loop.last - 1});
      ofLoop.push_back(std::move(placed));
    }
  }
}

/// Says of the buffers in slots where they lie in the first.
void placeInSlots(EntryMemory& memory) {
  for (const std::vector<SlotsInMemory>& ofLoop : memory.slots)
    for (const SlotsInMemory& placed : ofLoop) {
      int64_t next = memory.layout.offsets[placed.life];
      for (int64_t buffer : placed.slots.buffers) {
        memory.layout.offsets[buffer] = next;
        next += alignedBytes(memory.list.buffers[buffer].bytes);
      }
    }
}

}  // namespace

FailureOr<EntryMemory> layOutEntry(
    mlir::func::FuncOp entry, KernelProvider& kernels,
    const std::optional<PipelineOrder>& pipeline) {
  FailureOr<TaskList> list = listTasks(entry, kernels, pipeline);
  if (failed(list)) return mlir::failure();
  EntryMemory memory;
  memory.list = std::move(*list);
  orderUpdates(memory.list);
  if (failed(sendsNoUpdates(memory.list))) return mlir::failure();
  memory.updates = memory.list.updates;
  memory.memoryOf = shareBuffers(memory.list);

  const std::vector<TaskBuffer>& buffers = memory.list.buffers;
  const std::vector<ListedTask>& tasks = memory.list.tasks;
  auto numTasks = static_cast<int64_t>(tasks.size());
  std::vector<LiveBuffer>& lives = memory.lives;
  lives.assign(buffers.size(), {0, numTasks, 0});
  auto isNeededAt = [&](int64_t buffer, int64_t task) {
    LiveBuffer& life = lives[memory.memoryOf[buffer]];
    life.first = std::min(life.first, task);
    life.last = std::max(life.last, task);
  };
  for (auto [index, task] : llvm::enumerate(tasks)) {
    auto number = static_cast<int64_t>(index);
    for (int64_t buffer : task.inputs) isNeededAt(buffer, number);
    for (int64_t buffer : task.outputs) isNeededAt(buffer, number);
    if (task.end) isNeededAt(task.end->buffer, number);
    int64_t scratchBytes = task.needs.scratchBytes;
    memory.scratchOf.push_back(
        scratchBytes > 0 ? static_cast<int64_t>(lives.size()) : -1);
    if (scratchBytes > 0) lives.push_back({scratchBytes, number, number});
  }
  for (const ListedLoop& loop : memory.list.loops) {
    if (loop.first == loop.last) continue;
    for (int64_t buffer : keptIn(loop, memory.list))
      isNeededAt(buffer, loop.last - 1);
    for (int64_t buffer : loop.carried) isNeededAt(buffer, loop.first);
    if (loop.messages) {
      isNeededAt(loop.messages->buffer, loop.first);
      isNeededAt(loop.messages->buffer, loop.last - 1);
    }
    if (loop.number >= 0) {  // also where no task reads it
      isNeededAt(loop.number, loop.first);
      isNeededAt(loop.number, loop.last - 1);
    }
  }
  for (int64_t output : memory.list.outputs) isNeededAt(output, numTasks);
  for (const ListedGradient& gradient : memory.list.gradients)
    isNeededAt(gradient.buffer, memory.list.firstUpdate);
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    // Inputs stay: an entry may run again without them being written again.
    if (buffer.kind == TaskBuffer::Kind::Input)
      lives[index].first = 0, lives[index].last = numTasks;
    // What shares memory is placed with what it shares.
    if (buffer.kind != TaskBuffer::Kind::Parameter &&
        memory.memoryOf[index] == static_cast<int64_t>(index))
      lives[index].bytes = buffer.bytes;
  }
  addSlots(memory);
  memory.layout = planBuffers(lives, plan::kBufferAlignment);
  placeInSlots(memory);
  return memory;
}

}  // namespace sbp
