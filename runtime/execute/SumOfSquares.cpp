#include "runtime/execute/SumOfSquares.h"

namespace sbp::execute {
namespace {

// Sums that run side by side: one alone would wait for each addition to end
// before the next begins.
constexpr int kNumSums = 16;

}  // namespace

double sumOfSquares(const float* numbers, int64_t count) {
  double sums[kNumSums] = {};
  const int64_t end = count - count % kNumSums;
  for (int64_t i = 0; i < end; i += kNumSums)
    for (int j = 0; j < kNumSums; ++j) {
      const double number = numbers[i + j];
      sums[j] += number * number;
    }
  for (int64_t i = end; i < count; ++i) {
    const double number = numbers[i];
    sums[i - end] += number * number;
  }
  double sum = 0;
  for (double part : sums) sum += part;
  return sum;
}

}  // namespace sbp::execute
