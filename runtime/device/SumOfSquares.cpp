#include "runtime/device/SumOfSquares.h"

#include "runtime/plan/NativeTypes.h"

namespace sbp::device {
namespace {

// Number of independent partial sums. In a single sum, each addition would wait
// for the one before.
constexpr int kNumSums = 16;

template <typename Float>
double sumOfSquares(const Float* numbers, int64_t count) {
  double sums[kNumSums] = {};
  const int64_t end = count - count % kNumSums;
  for (int64_t i = 0; i < end; i += kNumSums)
    for (int j = 0; j < kNumSums; ++j) {
      const auto number = static_cast<double>(numbers[i + j]);
      sums[j] += number * number;
    }
  for (int64_t i = end; i < count; ++i) {
    const auto number = static_cast<double>(numbers[i]);
    sums[i - end] += number * number;
  }
  double sum = 0;
  for (double part : sums) sum += part;
  return sum;
}

}  // namespace

double sumOfSquares(plan::ElementType type, const std::byte* floats,
                    int64_t count) {
  return plan::withNativeType(type, [&](auto element) {
    return sumOfSquares(reinterpret_cast<const decltype(element)*>(floats),
                        count);
  });
}

}  // namespace sbp::device
