// Tests that compiled random programs on random placements compute the values
// that the interpreter computes on one device: kernels, plans and collectives.
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

class CompiledPrograms : public testing::TestWithParam<SeedRange> {};

TEST_P(CompiledPrograms, ComputeOnAllRanksWhatOneDeviceComputes) {
  Trials trials{"//test/properties:CompiledPrograms_test",
                singlePrecisionProgram, stepCompiled, /*shrinkAttempts=*/200,
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
