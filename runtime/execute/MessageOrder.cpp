#include "runtime/execute/MessageOrder.h"

#include <algorithm>
#include <numeric>

namespace sbp::execute {
namespace {

/// Whether one block runs before another one for every micro-batch for which
/// both run, of which there must be at least one. `before` and `after` are the
/// positions of their runs by micro-batch; -1: the block does not run.
bool isAlwaysBefore(const std::vector<int64_t>& before,
                    const std::vector<int64_t>& after) {
  bool hasBoth = false;
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] < 0 || after[i] < 0) continue;
    hasBoth = true;
    if (before[i] > after[i]) return false;
  }
  return hasBoth;
}

/// Returns, for each block of `loop`, the blocks for which it waits.
/// `positions` are the positions of runs in the order of the plan, by block and
/// micro-batch.
std::vector<std::vector<size_t>> findWaits(
    const plan::Loop& loop,
    const std::vector<std::vector<int64_t>>& positions) {
  std::vector<int64_t> last;
  for (const std::vector<int64_t>& ofBlock : positions)
    last.push_back(*std::max_element(ofBlock.begin(), ofBlock.end()));
  std::vector<std::vector<size_t>> waits(positions.size());
  for (size_t after = 0; after < positions.size(); ++after)
    for (size_t before = 0; before < positions.size(); ++before) {
      const bool isBefore =
          loop.blocks[after].isOnce
              ? last[before] < last[after]
              : !loop.blocks[before].isOnce &&
                    isAlwaysBefore(positions[before], positions[after]);
      if (before != after && isBefore) waits[after].push_back(before);
    }
  return waits;
}

}  // namespace

MessageOrder::MessageOrder(const plan::Loop& loop)
    : microBatches_(loop.blocks.size()),
      slotsOf_(loop.blocks.size()),
      byUrgency_(loop.blocks.size()),
      numMicroBatches_(loop.numMicroBatches) {
  for (const plan::Loop::BlockRun& run : loop.order)
    microBatches_[run.block].push_back(run.microBatch);
  waitsFor_ = findWaits(
      loop,
      plan::positionsOf(loop.order, static_cast<int64_t>(loop.blocks.size()),
                        loop.numMicroBatches));
  for (const plan::Loop::Block& block : loop.blocks)
    isOnce_.push_back(block.isOnce);
  for (size_t i = 0; i < loop.slots.size(); ++i) {
    counts_.push_back(loop.slots[i].count);
    for (int64_t user : loop.slots[i].users) slotsOf_[user].push_back(i);
  }
  std::iota(byUrgency_.begin(), byUrgency_.end(), size_t{0});
  std::sort(byUrgency_.begin(), byUrgency_.end(), [&](size_t a, size_t b) {
    const std::vector<int64_t>& urgencies = loop.messages->urgencies;
    return urgencies[a] != urgencies[b] ? urgencies[a] < urgencies[b] : a < b;
  });
  restart();
}

void MessageOrder::restart() {
  numRuns_.assign(microBatches_.size(), 0);
  isOver_.assign(microBatches_.size(),
                 std::vector<bool>(numMicroBatches_, true));
  numLeft_ = 0;
  for (size_t block = 0; block < microBatches_.size(); ++block) {
    for (int64_t microBatch : microBatches_[block])
      isOver_[block][microBatch] = false;
    numLeft_ += microBatches_[block].size();
  }
}

bool MessageOrder::canRun(size_t block,
                          const std::vector<plan::SlotsInUse>& inUse) const {
  if (!hasNextRun(block)) return false;
  const int64_t microBatch = microBatchOf(block);
  return std::all_of(waitsFor_[block].begin(), waitsFor_[block].end(),
                     [&](size_t before) {
                       return isOver(before, block, microBatch);
                     }) &&
         std::all_of(slotsOf_[block].begin(), slotsOf_[block].end(),
                     [&](size_t slots) {
                       return inUse[slots].hasRoom(microBatch, counts_[slots]);
                     });
}

void MessageOrder::noteRun(size_t block) {
  isOver_[block][microBatchOf(block)] = true;
  ++numRuns_[block];
  --numLeft_;
}

}  // namespace sbp::execute
