// What a message costs, from measured times.
//
// A price is alpha + m beta seconds for a message of m bytes. Where one line
// does not follow the points (a cache ends, an algorithm changes) it has up to
// three classes of sizes with a line each:
//
//   seconds                .•'
//      |              _.•-'
//      |      •-•--•-'|          a price never falls as messages grow: the
//      | •-•-'|       |          compiler relies on it
//      +------+-------+---- m
//
// A line is the weighted least squares of relative residuals: 10 % off counts
// alike for 1 us and for 1 ms. beta is not negative, nor is the alpha of the
// least messages.

#ifndef RUNTIME_CALIBRATION_FIT_H_
#define RUNTIME_CALIBRATION_FIT_H_

#include <cstdint>
#include <vector>

namespace sbp::calibration {

/// One message: its bytes, and the seconds it took.
struct Point {
  double bytes = 0;
  double seconds = 0;
};

struct Line {
  double alpha = 0;  // seconds
  double beta = 0;   // seconds per byte

  double at(double bytes) const { return alpha + beta * bytes; }
};

/// The line of messages up to a size.
struct PriceClass {
  int64_t largestBytes = 0;  // 0: no bound
  Line line;
};

/// Classes in ascending order; the last has no bound.
using Price = std::vector<PriceClass>;

/// Seconds of a message.
double secondsOf(const Price& price, double bytes);

/// The line nearest to `points`, of which there is at least one. alpha and beta
/// have four digits.
Line fitLine(const std::vector<Point>& points);

/// The price with the fewest classes, at most three, that is within `tolerance`
/// of all points (0.15: 15 % off); if none is, the nearest of all. A class has
/// at least three points.
Price fitPrice(std::vector<Point> points, double tolerance);

/// How far off a price is: what it says by what was measured, less 1.
double residual(const Price& price, const Point& point);

/// The largest absolute residual.
double worstResidual(const Price& price, const std::vector<Point>& points);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_FIT_H_
