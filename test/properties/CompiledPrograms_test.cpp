// Tests that compiled random programs on random placements compute the values
// that the interpreter computes on one device. This covers kernels, plans and
// collectives. Also tests that the programs compute the same bits if no ops are
// fused.
//
//   bazel test //test/properties:CompiledPrograms_test
//   ... --test_arg=--seeds=5000..5500                      other programs

#include "codegen/cpu/lower/Kernels.h"
#include "gtest/gtest.h"
#include "test/properties/CompiledStep.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/SeedRange.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 5;
SeedRange seeds{0, 64};

/// Runs a step as stepCompiled does. Fails if a bit of the result differs from
/// that of stepInSingleKernels.
FailureOr<TrainingStep> stepBothWays(ModuleOp local,
                                     ArrayRef<interpreter::Tensor> arguments,
                                     uint64_t seed) {
  FailureOr<TrainingStep> fused = stepCompiled(local, arguments, seed);
  FailureOr<TrainingStep> single = stepInSingleKernels(local, arguments, seed);
  if (failed(fused) || failed(single)) return failure();
  std::string where;
  if (distance(*fused, *single, &where) != 0)
    return local.emitError() << where << " has other bits if ops are fused";
  return fused;
}

class CompiledPrograms : public testing::TestWithParam<SeedRange> {};

TEST_P(CompiledPrograms, ComputeOnAllRanksWhatOneDeviceComputes) {
  Trials trials{"//test/properties:CompiledPrograms_test",
                singlePrecisionProgram, stepBothWays, /*shrinkAttempts=*/200,
                cpu::registerNnKernels};
  trials.expectRight(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Seeds, CompiledPrograms,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
