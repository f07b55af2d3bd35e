// Prices of messages, fitted to measured times.
//
// A price is alpha + m beta seconds for a message of m bytes. If the measured
// points do not lie near a single line (because messages outgrow a cache, or an
// algorithm changes with the size), the price has two or three classes of
// message sizes, each with its own line:
//
//   seconds                .•'
//      |              _.•-'
//      |      •-•--•-'|          a price never falls as messages grow: the
//      | •-•-'|       |          compiler relies on it
//      +------+-------+---- m
//
// A line minimises the sum of squared relative residuals: 10 % off counts the
// same at 1 us and at 1 ms. beta is never negative, and neither is the alpha of
// the class of the smallest messages. If a line would begin below the end of
// the line of the previous class, it is raised.

#ifndef RUNTIME_CALIBRATION_FIT_H_
#define RUNTIME_CALIBRATION_FIT_H_

#include <cstdint>
#include <vector>

namespace sbp::calibration {

/// One measured message: its size and the time that it took.
struct Point {
  double bytes = 0;
  double seconds = 0;
};

/// The time of a message as a function of its size.
struct Line {
  double alpha = 0;  // seconds
  double beta = 0;   // seconds per byte

  double at(double bytes) const { return alpha + beta * bytes; }
};

/// The line for messages of at most `largestBytes` bytes.
struct PriceClass {
  int64_t largestBytes = 0;  // 0: no bound
  Line line;
};

/// The price of a message: classes in ascending order of size. The last class
/// has no bound.
using Price = std::vector<PriceClass>;

/// Returns the seconds that `price` gives for a message of `bytes` bytes.
double secondsOf(const Price& price, double bytes);

/// Returns the line with the least sum of squared relative residuals at
/// `points` whose alpha and beta are not negative. There must be at least one
/// point. Both are rounded to four significant digits.
Line fitLine(const std::vector<Point>& points);

/// Finds three prices, each with the least sum of squared relative residuals:
/// the best of one class, the best of at most two classes, and the best of at
/// most three. Returns the first of them that is off by at most `tolerance` at
/// every point (0.15: 15 %), or else the last. If a price has several classes,
/// each has at least three points.
Price fitPrice(std::vector<Point> points, double tolerance);

/// Returns the relative error of `price` at `point`: priced seconds / measured
/// seconds - 1.
double residual(const Price& price, const Point& point);

/// Returns the largest absolute residual of `price` over `points`.
double worstResidual(const Price& price, const std::vector<Point>& points);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_FIT_H_
