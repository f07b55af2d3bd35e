#include "runtime/plan/LoopRuns.h"

#include <algorithm>

namespace sbp::plan {

std::vector<Loop::Block> blocksOf(const Loop& loop) {
  if (!loop.blocks.empty()) return loop.blocks;
  return {{/*name=*/"", loop.first, loop.last, loop.times}};
}

std::vector<Loop::Run> runsOf(const Loop& loop) {
  if (!loop.order.empty()) return loop.order;
  std::vector<Loop::Run> runs;
  const auto numBlocks = static_cast<int64_t>(blocksOf(loop).size());
  for (int64_t time = 0; time < loop.times; ++time)
    for (int64_t block = 0; block < numBlocks; ++block)
      runs.push_back({block, time});
  return runs;
}

std::vector<std::vector<int64_t>> positionsOf(
    const std::vector<Loop::Run>& runs, int64_t numBlocks, int64_t times) {
  std::vector<std::vector<int64_t>> positions(numBlocks,
                                              std::vector<int64_t>(times, -1));
  for (size_t i = 0; i < runs.size(); ++i)
    positions[runs[i].block][runs[i].time] = static_cast<int64_t>(i);
  return positions;
}

std::vector<int64_t> occurrencesOf(const std::vector<Loop::Run>& runs,
                                   int64_t numBlocks, int64_t times) {
  std::vector<int64_t> occurrences(runs.size());
  for (const std::vector<int64_t>& ofBlock :
       positionsOf(runs, numBlocks, times)) {
    int64_t next = 0;
    for (int64_t position : ofBlock)
      if (position >= 0) occurrences[position] = next++;
  }
  return occurrences;
}

std::vector<int64_t> timesOfTasks(const EntryProgram& program) {
  std::vector<int64_t> times(program.tasks.size(), 1);
  for (const Loop& loop : program.loops)
    for (const Loop::Block& block : blocksOf(loop))
      std::fill(times.begin() + block.first, times.begin() + block.last,
                block.numRuns);
  return times;
}

SlotsInUse::SlotsInUse(const std::vector<int64_t>& users, int64_t times)
    : numUsers_(static_cast<int64_t>(users.size())),
      slots_(times, -1),
      missing_(times, numUsers_) {}

void SlotsInUse::begin(int64_t time) {
  if (slots_[time] >= 0) return;
  if (free_.empty()) {
    slots_[time] = most_++;
    return;
  }
  slots_[time] = *free_.begin();
  free_.erase(free_.begin());
}

void SlotsInUse::end(int64_t time) {
  if (--missing_[time] > 0) return;
  free_.insert(slots_[time]);
  slots_[time] = -1;
  missing_[time] = numUsers_;
}

int64_t mostSlotsInUse(const std::vector<Loop::Run>& runs, int64_t numBlocks,
                       int64_t times, const std::vector<int64_t>& users) {
  std::vector<bool> isUser(numBlocks);
  for (int64_t user : users) isUser[user] = true;
  SlotsInUse inUse(users, times);
  for (const Loop::Run& run : runs)
    if (isUser[run.block]) {
      inUse.begin(run.time);
      inUse.end(run.time);
    }
  return inUse.most();
}

}  // namespace sbp::plan
