// Prices of messages, fitted to measured times.
//
// A price is alpha + m beta seconds for a message of m bytes. Where a single
// line does not follow the points (because a cache ends or an algorithm
// changes), the price has up to three classes of message sizes with a line
// each:
//
//   seconds                .•'
//      |              _.•-'
//      |      •-•--•-'|          a price never falls as messages grow: the
//      | •-•-'|       |          compiler relies on it
//      +------+-------+---- m
//
// A line minimises the sum of squared relative residuals: 10 % off counts the
// same at 1 us and at 1 ms. beta is never negative, nor is the alpha of the
// class of the smallest messages.

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

/// Returns the line nearest to `points`, of which there must be at least one.
/// alpha and beta are rounded to four significant digits.
Line fitLine(const std::vector<Point>& points);

/// Returns the price with the fewest classes, at most three, that is within
/// `tolerance` of every point (0.15 means 15 % off). If there is none, returns
/// the one with the least squared residuals. A class has at least three points
/// if there are several classes.
Price fitPrice(std::vector<Point> points, double tolerance);

/// Returns the relative error of `price` at `point`: priced seconds / measured
/// seconds - 1.
double residual(const Price& price, const Point& point);

/// Returns the largest absolute residual of `price` over `points`.
double worstResidual(const Price& price, const std::vector<Point>& points);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_FIT_H_
