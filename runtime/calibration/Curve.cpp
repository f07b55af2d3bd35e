#include "runtime/calibration/Curve.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "fmt/format.h"

namespace sbp::calibration {
namespace {

/// A factor that changes the fourth digit of a number.
constexpr double kNextDigit = 1.001;

/// Returns `value` with four digits.
double rounded(double value) {
  return std::strtod(fmt::format("{:.3e}", value).c_str(), nullptr);
}

/// Returns the time of an op at `point` of a curve, over that at the peak rate
/// of an op of one FLOP.
double timeAt(const Efficiency& point) { return point.flops / point.fraction; }

}  // namespace

TypeRate rateOf(const std::string& type, std::vector<TimedOp> ops) {
  for (size_t i = ops.size() - 1; i-- > 0;)
    ops[i].seconds = std::min(ops[i].seconds, ops[i + 1].seconds);
  TypeRate rate{type, 0, {}};
  for (TimedOp& op : ops) {
    op.flops = rounded(op.flops);
    rate.flopsPerSecond = std::max(rate.flopsPerSecond, op.flops / op.seconds);
  }
  rate.flopsPerSecond = rounded(rate.flopsPerSecond);
  for (const TimedOp& op : ops) {
    const double fraction = op.flops / op.seconds / rate.flopsPerSecond;
    rate.curve.push_back({op.flops, std::min(1.0, rounded(fraction))});
  }
  // Rounding must not make an op faster than a smaller one.
  for (size_t i = ops.size() - 1; i-- > 0;) {
    Efficiency& point = rate.curve[i];
    while (timeAt(point) > timeAt(rate.curve[i + 1]))
      point.fraction = rounded(point.fraction * kNextDigit);
  }
  return rate;
}

}  // namespace sbp::calibration
