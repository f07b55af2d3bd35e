#include "runtime/plan/LoopRuns.h"

#include <algorithm>

namespace sbp::plan {

std::vector<Loop::Block> blocksOf(const Loop& loop) {
  if (!loop.blocks.empty()) return loop.blocks;
  return {{/*name=*/"", loop.first, loop.last, loop.numMicroBatches}};
}

std::vector<Loop::BlockRun> runsOf(const Loop& loop) {
  if (!loop.order.empty()) return loop.order;
  std::vector<Loop::BlockRun> runs;
  const auto numBlocks = static_cast<int64_t>(blocksOf(loop).size());
  for (int64_t microBatch = 0; microBatch < loop.numMicroBatches; ++microBatch)
    for (int64_t block = 0; block < numBlocks; ++block)
      runs.push_back({block, microBatch});
  return runs;
}

std::vector<std::vector<int64_t>> positionsOf(
    const std::vector<Loop::BlockRun>& runs, int64_t numBlocks,
    int64_t numMicroBatches) {
  std::vector<std::vector<int64_t>> positions(
      numBlocks, std::vector<int64_t>(numMicroBatches, -1));
  for (size_t i = 0; i < runs.size(); ++i)
    positions[runs[i].block][runs[i].microBatch] = static_cast<int64_t>(i);
  return positions;
}

std::vector<int64_t> occurrencesOf(const std::vector<Loop::BlockRun>& runs,
                                   int64_t numBlocks, int64_t numMicroBatches) {
  std::vector<int64_t> occurrences(runs.size());
  for (const std::vector<int64_t>& ofBlock :
       positionsOf(runs, numBlocks, numMicroBatches)) {
    int64_t next = 0;
    for (int64_t position : ofBlock)
      if (position >= 0) occurrences[position] = next++;
  }
  return occurrences;
}

std::vector<int64_t> numRunsOfTasks(const EntryProgram& program) {
  std::vector<int64_t> numRuns(program.tasks.size(), 1);
  for (const Loop& loop : program.loops)
    for (const Loop::Block& block : blocksOf(loop))
      std::fill(numRuns.begin() + block.first, numRuns.begin() + block.last,
                block.numRuns);
  return numRuns;
}

std::vector<int64_t> blocksOfTasks(const EntryProgram& program) {
  std::vector<int64_t> blocks(program.tasks.size(), -1);
  int64_t number = 0;
  for (const Loop& loop : program.loops)
    for (const Loop::Block& block : blocksOf(loop)) {
      std::fill(blocks.begin() + block.first, blocks.begin() + block.last,
                number);
      ++number;
    }
  return blocks;
}

StepOffsetRange stepOffsetsOf(const Loop& loop) {
  StepOffsetRange range;
  for (const Loop::BlockRun& run : loop.order) {
    range.least = std::min(range.least, run.stepOffset);
    range.most = std::max(range.most, run.stepOffset);
  }
  return range;
}

int64_t offsetInRotation(const Rotation& rotation, int64_t buffer,
                         int64_t step) {
  if (rotation.bytes == 0) return buffer;
  const int64_t offset = buffer - rotation.buffer;
  const int64_t slot = offset / rotation.bytes;
  const int64_t count = rotation.count;
  const int64_t current = ((step - slot) % count + count) % count;
  return rotation.buffer + current * rotation.bytes + offset % rotation.bytes;
}

int64_t maxStepsAhead(const Plan& plan, size_t entry) {
  int64_t most = 0;
  for (const Program& program : plan.programs)
    most = std::max(most, -iterationsOf(program.entries[entry],
                                        plan.entries[entry].maxSkew, 1)
                               .first);
  return most;
}

std::vector<Section> sectionsOf(const EntryProgram& program, int64_t maxSkew,
                                int64_t first, int64_t last) {
  const int64_t begin =
      program.headStepOffset > 0 ? program.loops.front().first : 0;
  const int64_t late = program.firstLate < 0
                           ? static_cast<int64_t>(program.tasks.size())
                           : program.firstLate;
  std::vector<Section> sections;
  for (const Section& section :
       {Section{first, std::min(last, begin), program.headStepOffset},
        Section{std::max(first, begin), std::min(last, late), 0},
        Section{std::max(first, late), last, -maxSkew}})
    if (section.first < section.last) sections.push_back(section);
  return sections;
}

std::vector<TaskRange> taskRangesOf(const EntryProgram& program,
                                    int64_t maxSkew, int64_t iteration,
                                    int64_t numSteps) {
  std::vector<TaskRange> ranges;
  const auto add = [&](TaskRange range) {
    if (range.first < range.last && range.step >= 0 && range.step < numSteps)
      ranges.push_back(range);
  };
  const auto addOutside = [&](int64_t first, int64_t last) {
    for (const Section& section : sectionsOf(program, maxSkew, first, last))
      add({section.first, section.last, iteration + section.stepOffset});
  };
  int64_t next = 0;
  for (size_t index = 0; index < program.loops.size(); ++index) {
    const Loop& loop = program.loops[index];
    addOutside(next, loop.first);
    const std::vector<Loop::Block> blocks = blocksOf(loop);
    for (const Loop::BlockRun& run : runsOf(loop))
      add({blocks[run.block].first, blocks[run.block].last,
           iteration + run.stepOffset, static_cast<int64_t>(index), run.block,
           run.microBatch});
    next = loop.last;
  }
  addOutside(next, static_cast<int64_t>(program.tasks.size()));
  return ranges;
}

IterationRange iterationsOf(const EntryProgram& program, int64_t maxSkew,
                            int64_t numSteps) {
  int64_t ahead = program.headStepOffset, behind = maxSkew;
  for (const Loop& loop : program.loops) {
    const StepOffsetRange range = stepOffsetsOf(loop);
    ahead = std::max(ahead, range.most);
    behind = std::max(behind, -range.least);
  }
  return {-ahead, numSteps + behind};
}

int64_t stepsAtOnce(const Plan& plan, size_t entry) {
  int64_t behind = 0;
  for (const Program& program : plan.programs)
    behind = std::max(behind, iterationsOf(program.entries[entry],
                                           plan.entries[entry].maxSkew, 0)
                                  .last);
  return maxStepsAhead(plan, entry) + behind + 1;
}

int64_t stepsThatShowAll(const Plan& plan, size_t entry) {
  int64_t numSlots = 0;
  for (const Program& program : plan.programs)
    for (const Rotation& rotation : program.entries[entry].rotations)
      numSlots = std::max(numSlots, rotation.count);
  return stepsAtOnce(plan, entry) + numSlots;
}

void SlotsInUse::begin(int64_t microBatch) {
  const auto [held, isNew] = held_.try_emplace(microBatch);
  if (!isNew) return;
  held->second.missing = numUsers_;
  if (free_.empty()) {
    held->second.slot = most_++;
    return;
  }
  held->second.slot = *free_.begin();
  free_.erase(free_.begin());
}

void SlotsInUse::end(int64_t microBatch) {
  const auto held = held_.find(microBatch);
  if (--held->second.missing > 0) return;
  free_.insert(held->second.slot);
  held_.erase(held);
}

int64_t mostSlotsInUse(const std::vector<Loop::BlockRun>& runs,
                       int64_t numBlocks, int64_t numMicroBatches,
                       const std::vector<int64_t>& users) {
  std::vector<bool> isUser(numBlocks);
  for (int64_t user : users) isUser[user] = true;
  Loop loop;
  loop.order = runs;
  const auto [least, most] = stepOffsetsOf(loop);
  SlotsInUse inUse(users);
  // Simulates iterations until they repeat. The runs of an iteration belong to
  // at most most - least + 1 consecutive steps, so later iterations use the
  // slots in the same way.
  for (int64_t step = -most; step <= 2 * (most - least); ++step)
    for (const Loop::BlockRun& run : runs)
      if (isUser[run.block] && step + run.stepOffset >= 0) {
        const int64_t microBatch =
            (step + run.stepOffset) * numMicroBatches + run.microBatch;
        inUse.begin(microBatch);
        inUse.end(microBatch);
      }
  return inUse.most();
}

}  // namespace sbp::plan
