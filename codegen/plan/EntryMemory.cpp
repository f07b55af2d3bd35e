#include "codegen/plan/EntryMemory.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "codegen/plan/EarlySums.h"
#include "codegen/plan/FillBuckets.h"
#include "codegen/plan/JoinUpdates.h"
#include "codegen/plan/OrderUpdates.h"
#include "codegen/plan/ShareBuffers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "runtime/plan/Plan.h"

namespace sbp {

namespace {

/// Fails at a transfer of a tensor that depends on an update. Whether updates
/// are made at all is not decided yet when the other ranks wait for it.
LogicalResult sendsNoUpdates(const TaskList& list) {
  for (const ListedTask& task : llvm::drop_begin(list.tasks, list.firstUpdate))
    if (task.end)
      return task.op->emitOpError()
             << "moves a tensor between groups of ranks that depends on an "
                "update of a parameter; only tensors made before all updates "
                "can be moved";
  return mlir::success();
}

int64_t alignedBytes(int64_t bytes) {
  return llvm::alignTo(bytes, plan::kBufferAlignment);
}

/// Adds the slots of all loops, with live ranges; buffers in slots have no
/// memory of their own any more.
void addSlots(EntryMemory& memory) {
  for (const ListedLoop& loop : memory.list.loops) {
    std::vector<SlotsInMemory>& ofLoop = memory.slots.emplace_back();
    for (SlotGroup& slots : slotsOf(loop, memory.list, memory.memoryOf)) {
      SlotsInMemory placed = {std::move(slots), 0,
                              static_cast<int64_t>(memory.lives.size())};
      for (int64_t buffer : placed.slots.buffers) {
        placed.bytes += alignedBytes(memory.lives[buffer].bytes);
        memory.lives[buffer].bytes = 0;
      }
      if (placed.bytes == 0) continue;  // only tokens
      LiveBuffer life = {placed.bytes * placed.slots.numSlots, loop.first,
                         loop.last - 1};
      if (memory.list.lag > 0)
        life.first = 0, life.last = memory.list.tasks.size();
      memory.lives.push_back(life);
      ofLoop.push_back(std::move(placed));
    }
  }
}

/// Finds buffers that several steps need at once, and gives them rotating
/// memory for the whole run: results of the tasks before the loop, and inputs,
/// when later tasks use them; and buffers that are sent and finished late.
void rotate(EntryMemory& memory) {
  const TaskList& list = memory.list;
  if (list.lag == 0) return;
  std::map<int64_t, int64_t> counts;  // number of slots, by memory
  auto add = [&](int64_t buffer, int64_t numSteps) {
    if (list.buffers[memory.memoryOf[buffer]].kind !=
        TaskBuffer::Kind::Parameter)
      counts.try_emplace(memory.memoryOf[buffer], 1).first->second += numSteps;
  };
  const int64_t begin = list.loops.front().first;
  std::set<int64_t> early;
  for (auto [index, buffer] : llvm::enumerate(list.buffers))
    if (buffer.kind == TaskBuffer::Kind::Input) early.insert(index);
  for (int64_t index = 0; index < begin; ++index)
    early.insert(list.tasks[index].outputs.begin(),
                 list.tasks[index].outputs.end());
  std::set<int64_t> isAdded;  // memory; several buffers may share it
  auto addOnce = [&](int64_t buffer) {
    if (early.count(buffer) && isAdded.insert(memory.memoryOf[buffer]).second)
      add(buffer, list.stepOffset);
  };
  for (auto [index, buffer] : llvm::enumerate(list.buffers))
    if (buffer.kind == TaskBuffer::Kind::Input) addOnce(index);
  for (const ListedTask& task : llvm::drop_begin(list.tasks, begin)) {
    llvm::for_each(task.inputs, addOnce);
    if (task.end) addOnce(task.end->buffer);
  }
  for (int64_t output : list.outputs) addOnce(output);
  for (const ListedTask& late : llvm::drop_begin(list.tasks, memory.firstLate))
    add(late.end->buffer, list.lag);
  for (auto [buffer, count] : counts) {
    const int64_t bytes = alignedBytes(list.buffers[buffer].bytes);
    if (count == 1 || bytes == 0) continue;
    memory.rotated.push_back({buffer, bytes, count});
    memory.lives[buffer] = {bytes * count, 0,
                            static_cast<int64_t>(list.tasks.size())};
  }
}

/// Sets the offsets of the buffers in slots to those in the first slot.
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

/// Gives each loop of message-driven execution a buffer in which the ranks
/// agree on the next block.
void addAgreements(TaskList& list, MLIRContext* context) {
  for (ListedLoop& loop : list.loops) {
    if (!loop.messages) continue;
    const auto numBlocks = static_cast<int64_t>(loop.blocks.size());
    TaskBuffer buffer;
    buffer.type =
        RankedTensorType::get({numBlocks}, mlir::Float32Type::get(context));
    buffer.bytes = numBlocks * static_cast<int64_t>(sizeof(float));
    loop.messages->buffer = static_cast<int64_t>(list.buffers.size());
    list.buffers.push_back(buffer);
  }
}

}  // namespace

FailureOr<EntryMemory> layOutEntry(
    mlir::func::FuncOp entry, const KernelTarget& target,
    const std::optional<PipelineOrder>& pipeline) {
  FailureOr<TaskList> list = listTasks(entry, target, pipeline);
  if (failed(list)) return mlir::failure();
  EntryMemory memory;
  memory.list = std::move(*list);
  orderUpdates(memory.list);
  joinUpdates(memory.list);
  moveSumsForward(memory.list);
  addAgreements(memory.list, entry.getContext());
  fillBuckets(memory.list);
  if (failed(sendsNoUpdates(memory.list))) return mlir::failure();
  memory.updates = memory.list.updates;
  memory.memoryOf = shareBuffers(memory.list);
  memory.firstLate = memory.list.tasks.size();
  llvm::append_range(memory.list.tasks, std::exchange(memory.list.late, {}));

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
      if (isOnce(loop, tasks[index]))
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
      lives[index].first = 0, lives[index].last = numTasks;
    // A buffer that uses the memory of another one is placed with that one.
    if (buffer.kind != TaskBuffer::Kind::Parameter &&
        memory.memoryOf[index] == static_cast<int64_t>(index))
      lives[index].bytes = buffer.bytes;
  }
  rotate(memory);
  addSlots(memory);
  memory.layout = planBuffers(lives, plan::kBufferAlignment);
  placeInSlots(memory);
  return memory;
}

}  // namespace sbp
