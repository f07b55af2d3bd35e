// Tests that a step in micro-batches computes the values of a step with the
// whole batch, on one device and on several.
//
//   bazel test //test/properties:MicroBatches_test
//   ... --test_arg=--seeds=5000..9000                    other programs
//
// Random models have ops that mix samples or not. In micro-batches, a step must
// compute the same values as with the whole batch, or the model is refused. A
// model without ops that mix samples must not be refused.
//
// Random networks treat samples separately, and their loss is a sum or a mean
// over samples, or combines two. The networks have layers that are called or
// inline, and parameters that are used twice. In micro-batches, a step on one
// device must compute the loss, the parameters and the optimiser's state of a
// step with the whole batch. So must a step of the ranks, placed by a search or
// at random.

#include <cstdint>
#include <string>
#include <utility>

#include "dialects/Dialects.h"
#include "dialects/sbp/Device.h"
#include "dialects/sbp/Sbp.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"
#include "passes/plan/Placer.h"
#include "passes/plan/Plan.h"
#include "passes/search/program/SearchPlan.h"
#include "test/properties/Choices.h"
#include "test/properties/Examination.h"
#include "test/properties/RandomBatchModel.h"
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
  options.setMicroBatches(parts);
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
    RandomNetwork network =
        randomNetwork(choices, /*maxStages=*/1, /*mayWeigh=*/true);
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

/// A context that collects the diagnostics reported in it.
class Listener {
 public:
  Listener()
      : diagnostics_(&context_, [this](mlir::Diagnostic& diagnostic) {
          said_ += diagnostic.str();
        }) {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context_.appendDialectRegistry(registry);
    context_.loadAllAvailableDialects();
  }

  MLIRContext* context() { return &context_; }
  std::string take() { return std::exchange(said_, ""); }

 private:
  MLIRContext context_;
  std::string said_;
  mlir::ScopedDiagnosticHandler diagnostics_;
};

/// Expects that `program`, in `parts` micro-batches, computes the same values
/// as with the whole batch, or is refused, or that a remark says why it does
/// not. Returns whether it computes the same values.
bool expectEqualOrRefused(RandomProgram program, int64_t parts, uint64_t seed,
                          Listener& listener) {
  EXPECT_TRUE(program.module) << listener.take();
  if (!program.module) return false;
  const SmallVector<interpreter::Tensor> arguments = program.arguments(seed);
  mlir::OwningOpRef<ModuleOp> whole = program.module->clone();
  EXPECT_TRUE(succeeded(differentiate(*whole, 1))) << listener.take();
  listener.take();
  if (failed(differentiate(*program.module, parts))) {
    const std::string said = listener.take();
    EXPECT_NE(said.find("micro-batches"), std::string::npos) << said;
    return false;
  }
  // A normalisation by the statistics of a micro-batch computes other values,
  // and a remark says so.
  if (listener.take().find("of a micro-batch, not of all") != std::string::npos)
    return false;
  FailureOr<TrainingStep> expected = stepOnOneDevice(*whole, arguments, seed);
  FailureOr<TrainingStep> actual =
      stepOnOneDevice(*program.module, arguments, seed);
  EXPECT_TRUE(succeeded(expected) && succeeded(actual)) << listener.take();
  if (failed(expected) || failed(actual)) return false;
  std::string where;
  EXPECT_LE(distance(*actual, *expected, &where), 1e-6) << where;
  return true;
}

TEST_P(MicroBatches, OfModelsThatMixSamplesAreRefused) {
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    Choices choices(seed);
    const bool mayMix = choices.chance(50);
    RandomBatchModel model = randomBatchModel(choices, mayMix);
    SCOPED_TRACE(
        fmt::format("seed {}, {} parts of\n{}", seed, model.parts, model.text));
    Listener listener;
    bool isDivided = expectEqualOrRefused(
        readProgram(model.text, mlir::Float64Type::get(listener.context())),
        model.parts, seed, listener);
    EXPECT_TRUE(isDivided || model.mixes);
  }
}

// The programs have any ops and shapes, and need not make sense.
TEST_P(MicroBatches, OfAnyProgramGiveTheSameOrAreRefused) {
  int64_t numDivided = 0;
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    Choices choices(seed);
    Listener listener;
    RandomProgram program =
        randomProgram(listener.context(),
                      mlir::Float64Type::get(listener.context()), choices);
    for (int64_t parts : {2, 3}) {
      SCOPED_TRACE(fmt::format("seed {}, {} parts", seed, parts));
      numDivided += expectEqualOrRefused(
          {program.module->clone(), program.floatType, program.integerBounds},
          parts, seed, listener);
    }
  }
  EXPECT_GT(numDivided, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MicroBatches,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
