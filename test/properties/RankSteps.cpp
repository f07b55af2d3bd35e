#include "test/properties/RankSteps.h"

#include <algorithm>
#include <utility>

#include "runtime/plan/LoopRuns.h"

namespace sbp::properties {
namespace {

using Kind = RankStep::Kind;

class StepLister {
 public:
  explicit StepLister(const plan::EntryProgram& program) : program_(program) {}

  RankSteps run() {
    int64_t next = 0;
    for (size_t index = 0; index < program_.loops.size(); ++index) {
      const plan::Loop& loop = program_.loops[index];
      addTasks(next, loop.first, {});
      next = loop.last;
      if (loop.first != loop.last) addLoop(static_cast<int64_t>(index));
    }
    addTasks(next, static_cast<int64_t>(program_.tasks.size()), {});
    addLook();
    return std::move(listed_);
  }

 private:
  void addLook() { listed_.steps.emplace_back().kind = Kind::Record; }

  void addWrite(Bytes bytes, Term term) {
    RankStep& step = listed_.steps.emplace_back();
    step.kind = Kind::Write;
    step.bytes = bytes;
    step.term = term;
  }

  /// Adds tasks [first, last), with the loop and iteration of `like`.
  void addTasks(int64_t first, int64_t last, const RankStep& like) {
    for (int64_t task = first; task < last; ++task) {
      if (like.loop < 0 && task == program_.firstUpdate) addLook();
      listed_.steps.push_back(like);
      listed_.steps.back().task = task;
    }
  }

  void addLoop(int64_t index) {
    const plan::Loop& loop = program_.loops[index];
    if (loop.first == program_.firstUpdate) addLook();
    for (const plan::Loop::Carried& carried : loop.carried)
      addWrite({carried.buffer, carried.bytes}, kZeros);
    const std::vector<plan::Loop::Block> blocks = plan::blocksOf(loop);
    std::vector<plan::SlotsInUse> inUse;
    for (const plan::Loop::Slots& slots : loop.slots)
      inUse.emplace_back(slots.users);
    RankStep step;
    step.loop = index;
    step.shifts.assign(loop.slots.size(), 0);
    for (const plan::Loop::BlockRun& run : plan::runsOf(loop)) {
      step.iteration = run.microBatch;
      step.isOnce = blocks[run.block].isOnce;
      if (loop.microBatchBuffer != plan::kAbsent)
        addWrite({loop.microBatchBuffer, 8}, termOf("number", run.microBatch));
      const auto isUser = [&](const plan::Loop::Slots& slots) {
        return std::count(slots.users.begin(), slots.users.end(), run.block) >
               0;
      };
      for (size_t i = 0; i < loop.slots.size(); ++i)
        if (isUser(loop.slots[i])) {
          inUse[i].begin(run.microBatch);
          if (inUse[i].slotOf(run.microBatch) >= loop.slots[i].count)
            listed_.fault = "takes a slot that is not there";
          step.shifts[i] =
              inUse[i].slotOf(run.microBatch) * loop.slots[i].bytes;
        }
      addTasks(blocks[run.block].first, blocks[run.block].last, step);
      for (size_t i = 0; i < loop.slots.size(); ++i)
        if (isUser(loop.slots[i])) inUse[i].end(run.microBatch);
    }
  }

  const plan::EntryProgram& program_;
  RankSteps listed_;
};

}  // namespace

RankSteps stepsOf(const plan::EntryProgram& program) {
  return StepLister(program).run();
}

}  // namespace sbp::properties
