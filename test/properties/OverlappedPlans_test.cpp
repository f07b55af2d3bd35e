// Tests that accepted plans with overlapping steps compute the right values.
//
//   bazel test //test/properties:OverlappedPlans_test
//   ... --test_arg=--seeds=5000..9000                    other programs
//
// Plans of random programs in stages, with random schedules without a flush,
// are edited at random: runs of blocks are moved, or assigned to another step,
// rotating buffers get fewer slots, and tasks are swapped. If the checks and
// the proof accept a plan, the executor runs it for some steps. The run must
// end, and compute exactly the values of the plan before the edits.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dialects/sbp/Sbp.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/testing/RandomTable.h"
#include "passes/stages/Schedule.h"
#include "passes/stages/Stages.h"
#include "runtime/plan/Check.h"
#include "runtime/proof/Proof.h"
#include "test/properties/Choices.h"
#include "test/properties/CompiledStep.h"
#include "test/properties/CompilerContext.h"
#include "test/properties/Examination.h"
#include "test/properties/RandomGroups.h"
#include "test/properties/RandomNetwork.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/SeedRange.h"
#include "test/properties/TrainingStep.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 10;
constexpr int64_t kMaxStages = 4;
constexpr int64_t kEdits = 40;
constexpr uint64_t kSteps = 9;
SeedRange seeds{0, 40};

/// Returns the text of a machine, and of one group of one rank per stage.
std::string groupsOf(int64_t stages, Choices& choices) {
  std::string text = machineOf(stages);
  std::vector<std::string> names;
  for (int64_t stage = 0; stage < stages; ++stage) {
    names.push_back(fmt::format("@group{}", stage));
    text += groupOf(names.back(), {stage}, choices);
  }
  return text + stagesOn(names);
}

/// Makes one random change in `entry` of `plan`, whose steps overlap. Returns
/// its description.
std::string edit(plan::Plan& plan, size_t entry, Choices& choices) {
  plan::EntryProgram& program =
      plan.programs[choices.below(plan.programs.size())].entries[entry];
  plan::Loop& loop = program.loops[0];
  const auto pick = [&](auto& all) -> auto& {
    return all[choices.below(all.size())];
  };
  const int64_t change = choices.chance(50) ? 1 : -1;
  switch (choices.below(8)) {
    case 0: {
      const auto at = choices.below(loop.order.size() - 1);
      std::swap(loop.order[at], loop.order[at + 1]);
      return fmt::format("runs {} and {} swapped", at, at + 1);
    }
    case 1: {
      const auto from = choices.below(loop.order.size());
      const plan::Loop::BlockRun run = loop.order[from];
      loop.order.erase(loop.order.begin() + from);
      const auto to = choices.below(loop.order.size() + 1);
      loop.order.insert(loop.order.begin() + to, run);
      return fmt::format("run {} moved to {}", from, to);
    }
    case 2:
      pick(loop.order).stepOffset += change;
      return fmt::format("a run {} step ahead", change);
    case 3:
      if (loop.slots.empty()) return "";
      pick(loop.slots).count -= 1;
      return "a slot less";
    case 4: {
      if (program.rotations.empty()) return "";
      pick(program.rotations).count -= 1;
      return "a rotation smaller by a slot";
    }
    case 5:
      plan.entries[entry].maxSkew += change;
      return fmt::format("a maxSkew changed by {}", change);
    case 6:
      program.headStepOffset += change;
      return fmt::format("what is before the loop {} step ahead", change);
    default: {
      if (program.tasks.size() < 2) return "";
      const auto at = choices.below(program.tasks.size() - 1);
      std::swap(program.tasks[at], program.tasks[at + 1]);
      if (!program.values.areUnknown())
        std::swap(program.values.tasks[at], program.values.tasks[at + 1]);
      return fmt::format("tasks {} and {} swapped", at, at + 1);
    }
  }
}

class OverlappedPlans : public testing::TestWithParam<SeedRange> {
 protected:
  void check(uint64_t seed) {
    context_.forget();
    Choices choices(seed);
    const RandomNetwork network = randomNetwork(choices, kMaxStages);
    const std::string text =
        groupsOf(network.stages, choices) + inF32(network.text);
    RandomProgram program =
        readProgram(text, mlir::Float32Type::get(context_.get()));
    ASSERT_TRUE(program.module) << context_.errors();
    StagesOp stages = stagesOf(*program.module);
    const schedule::Table table = schedule::randomAsynchronousTable(
        workersOf(stages).workerOfStage, network.parts,
        [&](int64_t end) { return choices.below(end); });
    SCOPED_TRACE(fmt::format("seed {}, by\n{}", seed, csvOf(table)));
    std::vector<SmallVector<interpreter::Tensor>> arguments;
    for (uint64_t step = 0; step < kSteps; ++step)
      arguments.push_back(program.arguments(seed + step));
    addSchedule(stages, table, stages.getLoc());
    ASSERT_TRUE(succeeded(bringTo(Form::Local, *program.module)))
        << context_.errors();
    FailureOr<CompiledProgram> whole = compileForHost(*program.module);
    // The plan is refused if a stage may be updated before another stage, with
    // which it shares weights, has computed their gradients.
    if (failed(whole) && cannotEnd(context_.errors())) return;
    ASSERT_TRUE(succeeded(whole)) << context_.errors();
    size_t entry = 0;
    while (entry < whole->plan.entries.size() &&
           whole->plan.entries[entry].maxSkew == 0)
      ++entry;
    // Steps do not overlap if the plan has a flush.
    if (entry == whole->plan.entries.size()) return;

    FailureOr<TrainingStep> expected =
        stepsBy(whole->plan, *whole, *program.module, arguments, seed);
    ASSERT_TRUE(succeeded(expected)) << context_.errors();
    for (int64_t i = 0; i < kEdits; ++i) {
      plan::Plan plan = whole->plan;
      const std::string what = edit(plan, entry, choices);
      if (what.empty()) continue;
      SCOPED_TRACE(what);
      if (!plan::check(plan).ok() || !proof::prove(plan).ok()) {
        ++numRejected_;
        continue;
      }
      ++numAccepted_;
      FailureOr<TrainingStep> actual =
          stepsBy(plan, *whole, *program.module, arguments, seed);
      ASSERT_TRUE(succeeded(actual)) << context_.errors();
      std::string where;
      EXPECT_EQ(distance(*actual, *expected, &where), 0) << where;
    }
  }

  int64_t numAccepted_ = 0, numRejected_ = 0;

 private:
  CompilerContext context_;
};

TEST_P(OverlappedPlans, ThatAreAcceptedComputeWhatTheyShould) {
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    check(seed);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(numAccepted_, 0);
  EXPECT_GT(numRejected_, 0);
  RecordProperty("accepted", std::to_string(numAccepted_));
  RecordProperty("rejected", std::to_string(numRejected_));
}

INSTANTIATE_TEST_SUITE_P(Seeds, OverlappedPlans,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
