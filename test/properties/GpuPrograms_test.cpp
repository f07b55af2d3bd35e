// Tests that random programs on random placements, with kernels for GPUs,
// compute the values that the interpreter computes on one device.
//
//   bazel test //test/properties:GpuPrograms_test
//   ... --test_arg=--seeds=5000..5500                      other programs

#include "codegen/cuda/lower/Kernels.h"
#include "gtest/gtest.h"
#include "test/properties/GpuStep.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/SeedRange.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 5;
SeedRange seeds{0, 20};

class GpuPrograms : public testing::TestWithParam<SeedRange> {};

TEST_P(GpuPrograms, ComputeOnAllRanksWhatOneDeviceComputes) {
  Trials trials{"//test/properties:GpuPrograms_test", singlePrecisionProgram,
                stepOnGpus, /*shrinkAttempts=*/200, cuda::registerNnKernels};
  trials.expectRight(GetParam());
}

TEST_P(GpuPrograms, ComputeInBf16WhatOneDeviceComputes) {
  Trials trials{"//test/properties:GpuPrograms_test", bf16Program, stepOnGpus,
                /*shrinkAttempts=*/200, cuda::registerNnKernels};
  trials.expectRight(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Seeds, GpuPrograms,
                         testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
