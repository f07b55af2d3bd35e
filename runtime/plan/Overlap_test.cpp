// Tests of plans whose steps overlap: what they may contain, and what runs in
// which iteration.

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/plan/Check.h"
#include "runtime/plan/LoopRuns.h"

namespace sbp::plan {
namespace {

using ::testing::HasSubstr;

/// Makes a plan for a rank whose steps overlap: the first task, and the forward
/// of micro-batch 0, run for the next step. The weight w has two versions.
Plan overlappedPlan() {
  Plan plan;
  plan.groups = {Group{{"one", 1}}};
  plan.kernels = {{"kernel", "nn.relu", {}, {{ElementType::kF32, {16}}}}};
  const Component whole;
  plan.parameters = {{{"w", ElementType::kF32, {16}, {whole}}, {}},
                     {{"w@-1", ElementType::kF32, {16}, {whole}},
                      {},
                      /*isState=*/true,
                      Parameter::Earlier{0, 1}}};
  plan.entries = {{"step", {}, {}}};
  plan.entries[0].maxSkew = 2;
  Loop loop = {1, 3, /*numMicroBatches=*/2, {}};
  loop.blocks = {{"1F", 1, 2, /*numRuns=*/2}, {"1B", 2, 3, 2}};
  loop.order = {
      {0, 1}, {1, 0}, {0, 0, /*stepOffset=*/1}, {1, 1, /*stepOffset=*/-1}};
  loop.slots = {{/*buffer=*/128, /*bytes=*/64, /*count=*/3, /*users=*/{0, 1}}};
  EntryProgram entry;
  entry.arenaBytes = 512;
  for (int64_t buffer : {320, 128, 128, 64, 448})
    entry.tasks.emplace_back(KernelTask{0, {buffer}});
  entry.firstUpdate = 3;
  entry.firstLate = 4;
  entry.headStepOffset = 1;
  entry.rotations = {{0, 64, 2}, {320, 64, 2}};
  entry.calls = {{"step"}};
  entry.loops = {loop};
  plan.programs = {{{0}, 128, {0, 64}, {entry}}};
  return plan;
}

TEST(OverlappedPlans, RoundTrip) {
  const std::string text = toJson(overlappedPlan());
  const auto plan = fromJson(text);
  ASSERT_TRUE(plan.ok()) << plan.status().message();
  EXPECT_EQ(toJson(*plan), text);
}

TEST(OverlappedPlans, DoNotContradictThemselves) {
  const auto entryOf = [](Plan& plan) -> EntryProgram& {
    return plan.programs[0].entries[0];
  };
  const std::pair<const char*, std::function<void(Plan&)>> contradictions[] = {
      {"the maxSkew of its steps is 65, not 0 to 64",
       [](Plan& p) { p.entries[0].maxSkew = 65; }},
      {"tasks are 1 steps ahead, where maxSkew is 0",
       [](Plan& p) { p.entries[0].maxSkew = 0; }},
      {"tasks are 1 steps ahead before the first of 0 loops",
       [&](Plan& p) { entryOf(p).loops.clear(); }},
      {"blocks are from -1 to 5 steps ahead, where maxSkew is 2",
       [&](Plan& p) {
         entryOf(p).arenaBytes = 1024;
         entryOf(p).loops[0].slots[0].count = 8;
         entryOf(p).loops[0].order[2].stepOffset = 5;
       }},
      {"late tasks from 2 on, of 5 with the first update 3",
       [&](Plan& p) { entryOf(p).firstLate = 2; }},
      {"rotation of 2 slots of 64 bytes at 64, after 128",
       [&](Plan& p) { entryOf(p).rotations[1].buffer = 64; }},
      {"rotation of 4 slots of 64 bytes at 320",
       [&](Plan& p) { entryOf(p).rotations[1].count = 4; }},
      {"3 slots, of which 4 are in use at once",
       [&](Plan& p) { entryOf(p).loops[0].order[3].stepOffset = -2; }},
      {"\"w@-1\" is parameter 1 of 1 as it was 1 steps ago",
       [](Plan& p) { p.parameters[1].earlier->parameter = 1; }},
      {"\"w@-1\" is an earlier value of \"w\", and not like it",
       [](Plan& p) { p.parameters[1].tensor.shape = {8}; }},
  };
  for (const auto& [message, introduce] : contradictions) {
    Plan plan = overlappedPlan();
    introduce(plan);
    EXPECT_THAT(std::string(check(plan).message()), HasSubstr(message));
  }
}

TEST(OverlappedPlans, RunEachTaskOnceForEachStepAndMicroBatch) {
  const Plan plan = overlappedPlan();
  const EntryProgram& program = plan.programs[0].entries[0];
  constexpr int64_t kSteps = 4;
  std::map<std::tuple<int64_t, int64_t, int64_t>, int64_t> runs;
  const IterationRange iterations =
      iterationsOf(program, /*maxSkew=*/2, kSteps);
  EXPECT_EQ(iterations.first, -1);
  EXPECT_EQ(iterations.last, kSteps + 2);
  for (int64_t iteration = iterations.first; iteration < iterations.last;
       ++iteration)
    for (const TaskRange& range : taskRangesOf(program, 2, iteration, kSteps))
      for (int64_t task = range.first; task < range.last; ++task)
        ++runs[{task, range.step, range.microBatch}];
  EXPECT_EQ(runs.size(), kSteps * (1 + 2 * 2 + 1 + 1));
  for (const auto& [run, count] : runs) EXPECT_EQ(count, 1);
}

TEST(OverlappedPlans, HaveTransfersOfSomeStepsUnderWay) {
  EXPECT_EQ(maxStepsAhead(overlappedPlan(), 0), 1);
  EXPECT_EQ(stepsAtOnce(overlappedPlan(), 0), 1 + 2 + 1);
}

TEST(Rotations, MeanTheSameOffsetByAnOlderSlotOfALaterStep) {
  const Rotation rotation = {/*buffer=*/128, /*bytes=*/64, /*count=*/3};
  for (int64_t step = 0; step < 7; ++step)
    for (int64_t slot = 0; slot < 3; ++slot)
      EXPECT_EQ(offsetInRotation(rotation, 128 + 64 * slot + 5, step + slot),
                128 + 64 * (step % 3) + 5);
}

}  // namespace
}  // namespace sbp::plan
