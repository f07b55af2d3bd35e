// Tests that a network in stages, on groups of ranks, computes the values that
// one device computes.
//
//   bazel test //test/properties:Stages_test
//   ... --test_arg=--seeds=5000..9000                    other programs
//
// Random networks are cut into stages at random or by cost. Each stage is on a
// group of random ranks, of any size, which may overlap with other groups.
// Within a group, ops are placed by a search, or with any legal placement.
// Backward passes are whole or in halves, with saved values or recomputation.
// With or without micro-batches, a step of the ranks must compute the loss, the
// parameters and the optimiser's state that one device computes. Some programs
// are compiled as well.

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "dialects/sbp/Sbp.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"
#include "passes/cut/ChooseStages.h"
#include "passes/stages/Passes.h"
#include "test/properties/Choices.h"
#include "test/properties/CompiledStep.h"
#include "test/properties/CompilerContext.h"
#include "test/properties/Examination.h"
#include "test/properties/RandomBatchModel.h"
#include "test/properties/RandomGroups.h"
#include "test/properties/RandomNetwork.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/SeedRange.h"
#include "test/properties/TrainingStep.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 25;
constexpr int64_t kMaxRanks = 6;
constexpr int64_t kMaxStages = 4;
SeedRange seeds{0, 300};

/// Returns the text of a machine, and of one group of its ranks per stage.
std::string groupsOf(int64_t stages, Choices& choices) {
  int64_t numRanks = choices.between(1, kMaxRanks);
  std::string text = machineOf(numRanks);
  std::vector<int64_t> all(numRanks);
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::string> names;
  for (int64_t stage = 0; stage < stages; ++stage) {
    // Sometimes a stage is on the group of an earlier stage.
    if (stage > 0 && choices.chance(20)) {
      names.push_back(choices.pick(names));
      continue;
    }
    choices.shuffle(all);
    std::vector<int64_t> ranks(all.begin(),
                               all.begin() + choices.between(1, numRanks));
    names.push_back(fmt::format("@group{}", stage));
    text += groupOf(names.back(), ranks, choices);
  }
  return text + stagesOn(names);
}

/// Returns the options that cut `network` into as many stages as it can be cut
/// into, on equal groups of a machine that is added to `text`. The groups are
/// ranges of ranks, or have ranks of each host.
ChooseStagesOptions questionFor(const RandomNetwork& network, int64_t parts,
                                Choices& choices, std::string& text) {
  ChooseStagesOptions question;
  question.stages = network.stages;
  question.microBatches = parts;
  const int64_t numGroups = choices.chance(30) ? 1 : network.stages;
  const int64_t ranksPerGroup = choices.between(1, 2);
  if (choices.chance(50)) {
    question.groups = numGroups;
    text = machineOf(numGroups * ranksPerGroup);
  } else {
    question.groups = GroupCounts({1, numGroups});
    text = machineOf(/*numHosts=*/ranksPerGroup, numGroups);
  }
  return question;
}

/// Cuts `module` into the functions of its stages. Some of them get a backward
/// pass in halves, or keep less.
LogicalResult cutAndAsk(ModuleOp module, Choices& choices) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(createCutStages());
  if (failed(passes.run(module))) return failure();
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!function->hasAttr(kStageAttrName)) continue;
    if (choices.chance(30))
      function->setAttr(kSplitBackwardAttrName,
                        mlir::UnitAttr::get(module.getContext()));
    function->setAttr(kKeepAttrName, KeepAttr::get(module.getContext(),
                                                   choices.pick(kAllKept)));
  }
  return success();
}

class Stages : public testing::TestWithParam<SeedRange> {};

TEST_P(Stages, GiveWhatOneDeviceGives) {
  CompilerContext context;
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    context.forget();
    Choices choices(seed);
    RandomNetwork network =
        randomNetwork(choices, kMaxStages, /*mayWeigh=*/true);
    bool isCompiled = choices.chance(15);
    if (isCompiled) network.text = inF32(network.text);
    const int64_t parts = choices.chance(50) ? network.parts : 1;
    PipelineOptions options;
    options.setMicroBatches(parts);
    std::optional<ChooseStagesOptions> question;
    std::string staged;
    if (choices.chance(30)) {
      question = questionFor(network, parts, choices, staged);
      staged += unstaged(network.text);
    } else {
      staged = groupsOf(network.stages, choices) + network.text;
    }
    SCOPED_TRACE(fmt::format("seed {}, {} parts of\n{}", seed, parts, staged));

    RandomProgram program = readProgram(
        staged, isCompiled ? Type(mlir::Float32Type::get(context.get()))
                           : Type(mlir::Float64Type::get(context.get())));
    ASSERT_TRUE(program.module) << context.errors();
    if (question)
      ASSERT_TRUE(succeeded(chooseStages(*program.module, *question)))
          << context.errors();
    const SmallVector<interpreter::Tensor> arguments = program.arguments(seed);

    mlir::OwningOpRef<ModuleOp> whole = mlir::parseSourceString<ModuleOp>(
        unstaged(network.text), context.get());
    ASSERT_TRUE(succeeded(bringTo(Form::Differentiated, *whole)))
        << context.errors();
    FailureOr<TrainingStep> expected = stepOnOneDevice(*whole, arguments, seed);
    ASSERT_TRUE(succeeded(expected)) << context.errors();

    ASSERT_TRUE(succeeded(cutAndAsk(*program.module, choices)))
        << context.errors();
    if (choices.chance(50)) {
      ASSERT_TRUE(
          succeeded(bringTo(Form::Differentiated, *program.module, options)))
          << context.errors();
      ASSERT_TRUE(succeeded(placeStagesAtRandom(*program.module, choices)))
          << context.errors();
    }
    ASSERT_TRUE(succeeded(bringTo(Form::Local, *program.module, options)))
        << context.errors();
    FailureOr<TrainingStep> actual =
        isCompiled ? stepCompiled(*program.module, arguments, seed)
                   : stepOnRanks(*program.module, arguments, seed);
    ASSERT_TRUE(succeeded(actual)) << context.errors();
    std::string where;
    EXPECT_LE(distance(*actual, *expected, &where), isCompiled ? 1e-3 : 1e-9)
        << where;
  }
}

// The models are in micro-batches, and the extent of the batch occurs in
// slices, constants, masks, merged dimensions and states of recurrences. The
// loss may combine quotients of sums. (MicroBatches_test.cpp has models that
// mix samples.)
TEST_P(Stages, GiveWhatOneDeviceGivesOfModelsAsPeopleWriteThem) {
  CompilerContext context;
  uint64_t numCut = 0;
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    context.forget();
    Choices choices(seed);
    RandomBatchModel model = randomBatchModel(choices, /*mayMix=*/false);
    PipelineOptions options;
    options.setMicroBatches(model.parts);
    ChooseStagesOptions question;
    const int64_t numStages = choices.between(2, 3);
    question.stages = numStages;
    question.groups = numStages;
    question.microBatches = model.parts;
    std::string staged =
        machineOf(numStages * choices.between(1, 2)) + model.text;
    SCOPED_TRACE(fmt::format("seed {}, {} stages, {} parts of\n{}", seed,
                             numStages, model.parts, staged));
    Type type = mlir::Float64Type::get(context.get());
    RandomProgram program = readProgram(staged, type);
    ASSERT_TRUE(program.module) << context.errors();
    const SmallVector<interpreter::Tensor> arguments = program.arguments(seed);
    mlir::OwningOpRef<ModuleOp> whole = readProgram(model.text, type).module;
    ASSERT_TRUE(succeeded(bringTo(Form::Differentiated, *whole)))
        << context.errors();
    FailureOr<TrainingStep> expected = stepOnOneDevice(*whole, arguments, seed);
    ASSERT_TRUE(succeeded(expected)) << context.errors();

    if (failed(chooseStages(*program.module, question))) {
      EXPECT_NE(context.errors().find("units"), std::string::npos)
          << context.errors();
      continue;
    }
    ++numCut;
    ASSERT_TRUE(succeeded(cutAndAsk(*program.module, choices)))
        << context.errors();
    ASSERT_TRUE(succeeded(bringTo(Form::Local, *program.module, options)))
        << context.errors();
    FailureOr<TrainingStep> actual =
        stepOnRanks(*program.module, arguments, seed);
    ASSERT_TRUE(succeeded(actual)) << context.errors();
    std::string where;
    EXPECT_LE(distance(*actual, *expected, &where), 1e-9) << where;
  }
  EXPECT_GE(2 * numCut, GetParam().end - GetParam().begin);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Stages,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
