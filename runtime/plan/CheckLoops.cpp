#include "runtime/plan/CheckLoops.h"

#include <algorithm>
#include <vector>

#include "runtime/plan/Check.h"
#include "runtime/plan/CheckTasks.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"

namespace sbp::plan {
namespace {

/// Largest number of micro-batches; a step with more would never end.
constexpr int64_t kMaxMicroBatches = int64_t{1} << 32;

/// Checks that `loop` runs each block as often as the block says, and never
/// twice for one micro-batch.
absl::Status checkOrder(const Loop& loop) {
  const auto numBlocks = int64_t(loop.blocks.size());
  std::vector<std::vector<bool>> hasRun(
      numBlocks, std::vector<bool>(loop.numMicroBatches));
  for (const Loop::BlockRun& run : loop.order) {
    if (run.block < 0 || run.block >= numBlocks || run.microBatch < 0 ||
        run.microBatch >= loop.numMicroBatches)
      return error(
          "a loop of {} blocks and {} micro-batches runs block {} for {}",
          numBlocks, loop.numMicroBatches, run.block, run.microBatch);
    if (hasRun[run.block][run.microBatch])
      return error("a loop runs block {} twice for micro-batch {}", run.block,
                   run.microBatch);
    hasRun[run.block][run.microBatch] = true;
  }
  for (int64_t block = 0; block < numBlocks; ++block) {
    const auto runs =
        std::count(hasRun[block].begin(), hasRun[block].end(), true);
    if (runs != loop.blocks[block].numRuns || runs == 0)
      return error("a loop runs block {} {} times, not {}", block, runs,
                   loop.blocks[block].numRuns);
    if (loop.blocks[block].isOnce && !(runs == 1 && hasRun[block][0]))
      return error("block {} of a loop runs once, but not for micro-batch 0",
                   block);
  }
  return absl::OkStatus();
}

/// Checks that the micro-batches never need more slots than there are.
absl::Status checkSlots(const Loop& loop, const Loop::Slots& slots,
                        int64_t arenaBytes) {
  const auto numBlocks = int64_t(loop.blocks.size());
  if (slots.bytes < 0 || slots.bytes % kBufferAlignment != 0 ||
      slots.count < 1 || slots.bytes > kMaxArenaBytes / slots.count ||
      !isBufferWithin(slots.buffer, slots.bytes * slots.count, 0, arenaBytes))
    return error("{} slots of {} bytes at {} in an arena of {}, alignment {}",
                 slots.count, slots.bytes, slots.buffer, arenaBytes,
                 kBufferAlignment);
  int64_t before = -1;
  for (int64_t user : slots.users) {
    if (user <= before || user >= numBlocks)
      return error("slots of block {} after {}, of {} blocks", user, before,
                   numBlocks);
    before = user;
  }
  const auto positions =
      positionsOf(loop.order, numBlocks, loop.numMicroBatches);
  for (int64_t user : slots.users)
    for (int64_t microBatch = 0; microBatch < loop.numMicroBatches;
         ++microBatch)
      if ((positions[user][microBatch] < 0) !=
          (positions[slots.users.front()][microBatch] < 0))
        return error(
            "slots of blocks {} and {}, of which one runs for micro-batch {}",
            slots.users.front(), user, microBatch);
  const int64_t most =
      mostSlotsInUse(loop.order, numBlocks, loop.numMicroBatches, slots.users);
  if (most <= slots.count) return absl::OkStatus();
  return error("{} slots, of which {} are in use at once", slots.count, most);
}

/// Checks the urgencies and the agreement of a message-driven loop.
absl::Status checkMessages(const Plan& plan, const Program& program,
                           const Loop& loop, int64_t arenaBytes) {
  const CollectiveTask& agreement = loop.messages->agreement;
  const auto numBlocks = int64_t(loop.blocks.size());
  if (loop.messages->urgencies.size() != loop.blocks.size())
    return error("{} urgencies of {} blocks", loop.messages->urgencies.size(),
                 numBlocks);
  if (agreement.kind != CollectiveTask::Kind::kAllReduce ||
      agreement.reduction != ReductionKind::kMin ||
      agreement.elementType != ElementType::kF32 ||
      agreement.inShape != std::vector<int64_t>{numBlocks} ||
      agreement.in != agreement.out || agreement.bucket >= 0)
    return error(
        "ranks agree on {} blocks otherwise than by an all-reduce alone, in "
        "place, by the least of an f32 for each",
        numBlocks);
  SBP_RETURN_IF_ERROR(
      checkTask(plan, Entry(), program.ranks, arenaBytes, agreement));
  const Group& group = plan.groups[agreement.group];
  if (agreement.axes.size() == group.axes.size()) return absl::OkStatus();
  return error("{} of {} axes of group \"{}\" agree on blocks; all ranks do",
               agreement.axes.size(), group.axes.size(), group.name);
}

absl::Status checkBlocks(const Loop& loop, int64_t arenaBytes) {
  if (loop.blocks.empty() && loop.order.empty() && loop.slots.empty() &&
      !loop.messages)
    return absl::OkStatus();
  int64_t end = loop.first;
  for (const Loop::Block& block : loop.blocks) {
    if (block.first != end || block.last < block.first)
      return error("block \"{}\" has the tasks [{}, {}), where {} is next",
                   block.name, block.first, block.last, end);
    end = block.last;
  }
  if (end != loop.last)
    return error("the blocks of a loop end at task {}, the loop at {}", end,
                 loop.last);
  SBP_RETURN_IF_ERROR(checkOrder(loop));
  for (const Loop::Slots& slots : loop.slots)
    SBP_RETURN_IF_ERROR(checkSlots(loop, slots, arenaBytes));
  std::vector<const Loop::Slots*> byPlace;
  for (const Loop::Slots& slots : loop.slots) byPlace.push_back(&slots);
  std::sort(byPlace.begin(), byPlace.end(),
            [](const Loop::Slots* a, const Loop::Slots* b) {
              return a->buffer < b->buffer;
            });
  for (size_t i = 1; i < byPlace.size(); ++i)
    if (byPlace[i - 1]->buffer + byPlace[i - 1]->bytes * byPlace[i - 1]->count >
        byPlace[i]->buffer)
      return error("slots at {} and at {} overlap", byPlace[i - 1]->buffer,
                   byPlace[i]->buffer);
  return absl::OkStatus();
}

}  // namespace

absl::Status checkLoops(const Plan& plan, const Program& of,
                        const EntryProgram& program) {
  const int64_t numTasks = program.tasks.size();
  int64_t end = 0;
  for (const Loop& loop : program.loops) {
    if (loop.first < end || loop.last < loop.first || loop.last > numTasks)
      return error(
          "a loop of the tasks [{}, {}) of {} after one that ends at {}",
          loop.first, loop.last, numTasks, end);
    if (loop.first < program.firstUpdate && loop.last > program.firstUpdate)
      return error("a loop of the tasks [{}, {}) across the first update, {}",
                   loop.first, loop.last, program.firstUpdate);
    if (loop.numMicroBatches < 1 || loop.numMicroBatches > kMaxMicroBatches)
      return error("a loop of {} micro-batches", loop.numMicroBatches);
    SBP_RETURN_IF_ERROR(checkBlocks(loop, program.arenaBytes));
    if (loop.messages)
      SBP_RETURN_IF_ERROR(checkMessages(plan, of, loop, program.arenaBytes));
    if (loop.microBatchBuffer != kAbsent &&
        !isBufferWithin(loop.microBatchBuffer, sizeof(int64_t), 0,
                        program.arenaBytes))
      return error("the micro-batch of a loop at {} in an arena of {}",
                   loop.microBatchBuffer, program.arenaBytes);
    for (const Loop::Carried& carried : loop.carried)
      if (carried.bytes < 0 ||
          !isBufferWithin(carried.buffer, carried.bytes, 0, program.arenaBytes))
        return error(
            "a loop carries {} bytes at {} in an arena of {}, alignment {}",
            carried.bytes, carried.buffer, program.arenaBytes,
            kBufferAlignment);
    end = loop.last;
  }
  return absl::OkStatus();
}

}  // namespace sbp::plan
