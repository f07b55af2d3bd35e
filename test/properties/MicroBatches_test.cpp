// A batch in parts gives what it gives at once, on one device and on many.
//
//   bazel test //test/properties:MicroBatches_test
//   ... --test_arg=--seeds=5000..9000                    other programs
//
// Random models whose ops mix samples or not: divided into micro-batches, a
// step gives what it gives for the batch as a whole, or the model is refused.
// It is not refused if none of its ops mixes samples.
//
// Random networks that treat samples alike, whose loss is a sum or a mean over
// them, with layers that are called or written out, and parameters that are
// used twice. Divided into parts, a step of one device must give the loss, the
// parameters and the optimiser's state that it gives for the batch as a whole;
// and placed by a search or at random, the ranks must give the same.

#include <cstdint>
#include <string>

#include "dialects/Dialects.h"
#include "dialects/sbp/Device.h"
#include "dialects/sbp/Sbp.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"
#include "passes/placement/Placer.h"
#include "passes/placement/Plan.h"
#include "passes/search/program/SearchPlan.h"
#include "test/properties/Choices.h"
#include "test/properties/Examination.h"
#include "test/properties/RandomMixing.h"
#include "test/properties/RandomNetwork.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/SeedRange.h"
#include "test/properties/TrainingStep.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 50;
SeedRange seeds{0, 400};

const Device kDevice = {1e12, 1e10, {{{"f64", true, 64}, 1e10, {}}}};

LogicalResult differentiate(ModuleOp module, int64_t parts) {
  mlir::PassManager passes(module.getContext());
  PipelineOptions options;
  options.microBatches = parts;
  addPassesTo(Form::Differentiated, options, passes);
  return passes.run(module);
}

/// Places a program on a random mesh by the cheapest plan.
LogicalResult placeBySearch(ModuleOp module, Choices& choices) {
  mlir::FlatSymbolRefAttr name = addRandomMesh(module, choices);
  FailureOr<Mesh> mesh = lookupMesh(module, name);
  if (failed(mesh)) return failure();
  auto searched = search::searchPlan(module, *mesh, kDevice);
  if (failed(searched)) return failure();
  Planned planned(searched->plan);
  return placeModule(module, {name, *mesh}, planned);
}

class MicroBatches : public testing::TestWithParam<SeedRange> {};

TEST_P(MicroBatches, GiveWhatTheBatchGivesAtOnce) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    Choices choices(seed);
    RandomNetwork network = randomNetwork(choices);
    SCOPED_TRACE(fmt::format("seed {}, {} parts of\n{}", seed, network.parts,
                             network.text));
    RandomProgram program;
    program.floatType = mlir::Float64Type::get(&context);
    program.integerBounds = {0};
    program.module = mlir::parseSourceString<ModuleOp>(network.text, &context);
    ASSERT_TRUE(program.module);
    const SmallVector<interpreter::Tensor> arguments = program.arguments(seed);
    mlir::OwningOpRef<ModuleOp> whole = program.module->clone();
    ASSERT_TRUE(succeeded(differentiate(*whole, 1)));
    ASSERT_TRUE(succeeded(differentiate(*program.module, network.parts)));
    FailureOr<TrainingStep> expected = stepOnOneDevice(*whole, arguments, seed);
    FailureOr<TrainingStep> actual =
        stepOnOneDevice(*program.module, arguments, seed);
    ASSERT_TRUE(succeeded(expected) && succeeded(actual));
    std::string where;
    EXPECT_LE(distance(*actual, *expected, &where), 1e-9) << where;

    Examination examination = choices.chance(50)
                                  ? examine(std::move(program), choices, seed,
                                            stepOnRanks, placeBySearch)
                                  : examine(std::move(program), choices, seed);
    ASSERT_NE(examination.verdict, Verdict::Wrong) << examination.report;
  }
}

/// Expects of the program of `text`, in `parts`, what it gives as a whole.
/// Returns whether it may be in parts.
bool expectEqualOrRefused(const std::string& text, int64_t parts,
                          uint64_t seed) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  std::string said;
  mlir::ScopedDiagnosticHandler diagnostics(
      &context,
      [&](mlir::Diagnostic& diagnostic) { said += diagnostic.str(); });
  RandomProgram program = readProgram(text, mlir::Float64Type::get(&context));
  EXPECT_TRUE(program.module) << said;
  if (!program.module) return false;
  const SmallVector<interpreter::Tensor> arguments = program.arguments(seed);
  mlir::OwningOpRef<ModuleOp> whole = program.module->clone();
  EXPECT_TRUE(succeeded(differentiate(*whole, 1))) << said;
  said.clear();
  if (failed(differentiate(*program.module, parts))) {
    EXPECT_NE(said.find("micro-batches"), std::string::npos) << said;
    return false;
  }
  FailureOr<TrainingStep> expected = stepOnOneDevice(*whole, arguments, seed);
  FailureOr<TrainingStep> actual =
      stepOnOneDevice(*program.module, arguments, seed);
  EXPECT_TRUE(succeeded(expected) && succeeded(actual)) << said;
  if (failed(expected) || failed(actual)) return false;
  std::string where;
  EXPECT_LE(distance(*actual, *expected, &where), 1e-9) << where;
  return true;
}

TEST_P(MicroBatches, OfModelsThatMixSamplesAreRefused) {
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    Choices choices(seed);
    const bool mayMix = choices.chance(50);
    RandomMixing model = randomMixing(choices, mayMix);
    SCOPED_TRACE(
        fmt::format("seed {}, {} parts of\n{}", seed, model.parts, model.text));
    bool isDivided = expectEqualOrRefused(model.text, model.parts, seed);
    EXPECT_TRUE(isDivided || model.mixes);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MicroBatches,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
