// Tests that a pipeline computes the values that one device computes, with any
// schedule.
//
//   bazel test //test/properties:Pipelines_test
//   ... --test_arg=--seeds=5000..9000                    other programs
//
// Random networks are in stages, each on one of several groups of ranks, of any
// size. Their schedules are random, in any order that can be run: with backward
// passes whole, in halves or mixed, with stages that recompute, and with stages
// on several groups. Ranks keep the order of the schedule, or run tasks by
// messages. Within a group, ops are placed by a search, or with any legal
// placement. The program is printed and parsed between forms.
//
// A step of the ranks must compute the loss, the parameters and the optimiser's
// state that one device computes, and exactly the values of a run with one
// micro-batch after the other. So must the entry for the loss. Without a flush,
// overlapping steps must compute exactly the values of steps one after the
// other. Some programs are compiled as well.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "dialects/sbp/Sbp.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "mlir/Parser/Parser.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/Delays.h"
#include "passes/schedule/testing/RandomTable.h"
#include "passes/stages/Schedule.h"
#include "passes/stages/Stages.h"
#include "test/properties/Choices.h"
#include "test/properties/CompiledStep.h"
#include "test/properties/CompilerContext.h"
#include "test/properties/Examination.h"
#include "test/properties/RandomGroups.h"
#include "test/properties/RandomNetwork.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/SeedRange.h"
#include "test/properties/TrainingStep.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 15;
constexpr uint64_t kSeedsPerCompiled = 6;
constexpr uint64_t kSteps = 9;  // without a flush
constexpr int64_t kMaxRanks = 6;
constexpr int64_t kMaxStages = 5;
SeedRange seeds{0, 300};

/// Returns the text of a machine, of groups of its ranks, and of the list of
/// stages with the group of each. Each group has at least one stage.
std::string groupsOf(int64_t stages, Choices& choices) {
  const int64_t numRanks = choices.between(1, kMaxRanks);
  const int64_t numGroups = choices.between(1, std::min(stages, numRanks));
  std::vector<int64_t> all(numRanks);
  std::iota(all.begin(), all.end(), 0);
  choices.shuffle(all);
  std::string text = machineOf(numRanks);
  std::vector<std::string> names;
  for (int64_t group = 0, next = 0; group < numGroups; ++group) {
    // Number of later groups, each of which needs a rank.
    const int64_t left = numGroups - group - 1;
    const int64_t end = choices.between(next + 1, numRanks - left);
    names.push_back(fmt::format("@group{}", group));
    text +=
        groupOf(names.back(), {all.begin() + next, all.begin() + end}, choices);
    next = end;
  }
  std::vector<std::string> ofStages = names;
  while (static_cast<int64_t>(ofStages.size()) < stages)
    ofStages.push_back(choices.pick(names));
  choices.shuffle(ofStages);
  return text + stagesOn(ofStages);
}

/// Returns a random schedule for `module`, with `parts` micro-batches. Its
/// steps overlap only if `mayOverlap`.
schedule::Table tableFor(ModuleOp module, int64_t parts, bool mayOverlap,
                         Choices& choices) {
  const auto below = [&](int64_t end) { return choices.below(end); };
  if (mayOverlap && choices.chance(30))
    return schedule::randomAsynchronousTable(
        workersOf(stagesOf(module)).workerOfStage, parts, below);
  const int64_t ofMicroBatch = parts % 2 == 0 && choices.chance(30) ? 2 : 1;
  return schedule::randomTable(workersOf(stagesOf(module)).workerOfStage,
                               parts / ofMicroBatch, ofMicroBatch,
                               /*isOnSeveral=*/choices.chance(40), below);
}

/// Prints `module` and parses the text.
mlir::OwningOpRef<ModuleOp> throughText(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return mlir::parseSourceString<ModuleOp>(text, module.getContext());
}

class Pipelines : public testing::TestWithParam<SeedRange> {
 protected:
  void check(uint64_t seed) {
    context_.forget();
    Choices choices(seed);
    RandomNetwork network =
        randomNetwork(choices, kMaxStages, /*mayWeigh=*/true);
    const bool isCompiled = seed % kSeedsPerCompiled == 0;
    if (isCompiled) network.text = inF32(network.text);
    const std::string staged = groupsOf(network.stages, choices) + network.text;
    RandomProgram program = readProgram(
        staged, isCompiled ? Type(mlir::Float32Type::get(context_.get()))
                           : Type(mlir::Float64Type::get(context_.get())));
    ASSERT_TRUE(program.module) << context_.errors();
    const schedule::Table table =
        tableFor(*program.module, network.parts, !network.isWeighted, choices);
    SCOPED_TRACE(
        fmt::format("seed {}, by\n{}\nof\n{}", seed, csvOf(table), staged));
    const SmallVector<interpreter::Tensor> arguments = program.arguments(seed);

    mlir::OwningOpRef<ModuleOp> whole = mlir::parseSourceString<ModuleOp>(
        unstaged(network.text), context_.get());
    ASSERT_TRUE(succeeded(bringTo(Form::Differentiated, *whole)))
        << context_.errors();
    FailureOr<TrainingStep> expected = stepOnOneDevice(*whole, arguments, seed);
    ASSERT_TRUE(succeeded(expected)) << context_.errors();

    addSchedule(stagesOf(*program.module), table, program.module->getLoc())
        .setByMessages(!schedule::isAsynchronous(table) && choices.chance(50));
    mlir::OwningOpRef<ModuleOp> module = local(*program.module, choices);
    ASSERT_TRUE(module) << context_.errors();
    mlir::OwningOpRef<ModuleOp> inTurn = withoutSchedule(*module);
    expectRight(stepOnRanks(*module, arguments, seed),
                stepOnRanks(*inTurn, arguments, seed), *expected);
    expectRight(lossOnRanks(*module, arguments, seed),
                lossOnRanks(*inTurn, arguments, seed), *expected);
    if (!isCompiled) return;
    if (schedule::isAsynchronous(table)) {
      std::vector<SmallVector<interpreter::Tensor>> ofSteps;
      for (uint64_t step = 0; step < kSteps; ++step)
        ofSteps.push_back(program.arguments(seed + step));
      FailureOr<TrainingStep> actual = stepsCompiled(*module, ofSteps, seed);
      // The program is refused if a stage may be updated before another stage,
      // with which it shares weights, has computed their gradients.
      if (failed(actual) && cannotEnd(context_.errors())) return;
      expectEqual(actual, stepsCompiled(*inTurn, ofSteps, seed));
    } else {
      expectRight(stepCompiled(*module, arguments, seed),
                  stepCompiled(*inTurn, arguments, seed), *expected);
    }
    expectRight(lossCompiled(*module, arguments, seed),
                lossCompiled(*inTurn, arguments, seed), *expected);
  }

 private:
  /// Returns the local form of `module`, or null if it has none.
  static mlir::OwningOpRef<ModuleOp> local(ModuleOp module, Choices& choices) {
    const bool isPlacedAtRandom = choices.chance(50);
    mlir::OwningOpRef<ModuleOp> text = throughText(module);
    for (Form form :
         {Form::Differentiated, Form::Placed, Form::Boxed, Form::Local}) {
      if (failed(bringTo(form, *text))) return {};
      if (form == Form::Differentiated && isPlacedAtRandom &&
          failed(placeStagesAtRandom(*text, choices)))
        return {};
      text = throughText(*text);
      if (!text) return {};
    }
    return text;
  }

  /// Returns the same program with one micro-batch after the other.
  static mlir::OwningOpRef<ModuleOp> withoutSchedule(ModuleOp module) {
    mlir::OwningOpRef<ModuleOp> inTurn = module.clone();
    (*inTurn->getOps<ScheduleOp>().begin()).erase();
    return inTurn;
  }

  /// Expects that `actual`, the result of the ranks by the schedule, is close
  /// to that of one device, and exactly that of the ranks without a schedule.
  void expectRight(const FailureOr<TrainingStep>& actual,
                   const FailureOr<TrainingStep>& inTurn,
                   const TrainingStep& onOneDevice) {
    ASSERT_TRUE(succeeded(actual)) << context_.errors();
    ASSERT_TRUE(succeeded(inTurn)) << "in turn: " << context_.errors();
    const double tolerance = actual->loss.elementType().isF32() ? 1e-3 : 1e-9;
    std::string where;
    EXPECT_LE(distance(*actual, onOneDevice, &where), tolerance) << where;
    EXPECT_EQ(distance(*actual, *inTurn, &where), 0) << where;
  }
  void expectRight(const FailureOr<interpreter::Tensor>& actual,
                   const FailureOr<interpreter::Tensor>& inTurn,
                   const TrainingStep& onOneDevice) {
    ASSERT_TRUE(succeeded(actual)) << context_.errors();
    ASSERT_TRUE(succeeded(inTurn)) << "in turn: " << context_.errors();
    expectRight(TrainingStep{*actual, {}}, TrainingStep{*inTurn, {}},
                TrainingStep{onOneDevice.loss, {}});
  }

  void expectEqual(const FailureOr<TrainingStep>& actual,
                   const FailureOr<TrainingStep>& inTurn) {
    ASSERT_TRUE(succeeded(actual)) << context_.errors();
    ASSERT_TRUE(succeeded(inTurn)) << "in turn: " << context_.errors();
    std::string where;
    EXPECT_EQ(distance(*actual, *inTurn, &where), 0) << where;
  }

  CompilerContext context_;
};

TEST_P(Pipelines, GiveWhatOneDeviceGivesByAnyTable) {
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    check(seed);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Pipelines,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
