// Tests of kernels that convert between bf16 and other element types. The tests
// that are the same for all float types also run with bf16, in Kernels_test.

#include <cmath>
#include <limits>

#include "codegen/kernels/testing/KernelsTest.h"
#include "gtest/gtest.h"

namespace sbp {
namespace {

INSTANTIATE_TEST_SUITE_P(Targets, KernelsTest, testing::Values("f32"),
                         nameOfTarget);

std::string cast(const std::string& from, const std::string& to) {
  return "(%x: tensor<8x9x" + from + ">) -> tensor<8x9x" + to +
         "> { %y = nn.cast %x : tensor<8x9x" + from + "> -> tensor<8x9x" + to +
         "> return %y : tensor<8x9x" + to + "> }";
}

TEST_P(KernelsTest, CastsToBf16RoundToNearestTiesToEven) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  specialValues = {1 + 0x1p-8,             // a tie: the lower bf16 is even
                   1 + 0x3p-8,             // a tie: the upper bf16 is even
                   1 + 0x1p-8 + 0x1p-20,   // closer to the upper bf16
                   -1 - 0x1p-8 - 0x1p-20,  // closer to the lower bf16
                   0x1.ffp127,             // the least that becomes infinite
                   0x1.fefffep127,         // the f32 before that
                   0x1p-130,               // denormal
                   0x1.8p-134,
                   -0.0,
                   infinity,
                   -infinity,
                   std::nan("")};
  expectKernelsAgree({cast("f32", "bf16"), cast("bf16", "f32")}, 0);
}

TEST_P(KernelsTest, IntegersBecomeTheNearestBf16) {
  specialIntegers.assign(72, 257);
  for (size_t i = 0; i < specialIntegers.size(); i += 2)
    specialIntegers[i] = -(int64_t{1} << 20) - static_cast<int64_t>(i << 12);
  expectKernelsAgree({cast("i32", "bf16"), cast("i64", "bf16")}, 0);
}

}  // namespace
}  // namespace sbp
