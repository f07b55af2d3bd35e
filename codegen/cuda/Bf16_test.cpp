// Kernels on bf16 beside other types of elements, beyond the list of tests that
// run with bf16 in the place of f32.

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
  specialValues = {1 + 0x1p-8,             // between two, the lower one is even
                   1 + 0x3p-8,             // between two, the upper one is even
                   1 + 0x1p-8 + 0x1p-20,   // closer to the upper one
                   -1 - 0x1p-8 - 0x1p-20,  // and to the lower one
                   0x1.ffp127,             // the first that is infinite
                   0x1.fefffep127,         // the last one below it
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
