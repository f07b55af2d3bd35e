#include "runtime/calibration/Fit.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "fmt/format.h"

namespace sbp::calibration {
namespace {

constexpr size_t kMostClasses = 3;
constexpr size_t kLeastPoints = 3;  // per class

/// Returns `value` rounded to four significant digits.
double withFourDigits(double value) {
  return std::strtod(fmt::format("{:.3e}", value).c_str(), nullptr);
}

/// Returns the least number with four significant digits that is at least
/// `value`.
double withFourDigitsUp(double value) {
  double rounded = withFourDigits(value);
  return rounded >= value ? rounded
                          : withFourDigits(value + 8e-4 * std::abs(value));
}

using Iterator = std::vector<Point>::const_iterator;

/// Returns the line nearest to the points in [begin, end). In the first class,
/// alpha is at least 0.
Line fitLine(Iterator begin, Iterator end, bool isFirst) {
  // With u = 1 / y and v = m / y, (a + b m) / y - 1 is a u + b v - 1.
  double uu = 0, uv = 0, vv = 0, u1 = 0, v1 = 0;
  for (Iterator point = begin; point != end; ++point) {
    const double u = 1 / point->seconds, v = point->bytes / point->seconds;
    uu += u * u;
    uv += u * v;
    vv += v * v;
    u1 += u;
    v1 += v;
  }
  const double determinant = uu * vv - uv * uv;
  Line line;
  if (determinant > 1e-12 * uu * vv) {
    line.alpha = (u1 * vv - v1 * uv) / determinant;
    line.beta = (v1 * uu - u1 * uv) / determinant;
  } else {
    line.alpha = u1 / uu;  // all points have the same size
  }
  if (line.alpha < 0 && isFirst) line = {0, v1 / vv};
  if (line.beta < 0) line = {u1 / uu, 0};
  return {withFourDigits(line.alpha), withFourDigits(line.beta)};
}

/// Joins two neighbouring classes: ends `before` at a size in [lowest,
/// highest), after which `after` begins. The border is the crossing of the two
/// lines if it lies in that range, else the geometric mean. Raises the line of
/// `after` if it would begin below the end of `before`.
void join(PriceClass& before, PriceClass& after, double lowest,
          double highest) {
  const double gap = after.line.alpha - before.line.alpha;
  const double crossing = gap / (before.line.beta - after.line.beta);
  double border = std::sqrt(lowest * highest);
  if (crossing >= lowest && crossing < highest) {
    border = crossing;
  } else if (after.line.at(lowest) < before.line.at(lowest)) {
    border = lowest;
  }
  before.largestBytes = static_cast<int64_t>(border);
  const double end = static_cast<double>(before.largestBytes);
  const double missing = before.line.at(end) - after.line.at(end);
  if (missing > 0) {
    after.line.alpha = withFourDigitsUp(after.line.alpha + missing);
  }
}

/// Returns the price whose class i covers points[begins[i]] up to the beginning
/// of the next class.
Price fitClasses(const std::vector<Point>& points,
                 const std::vector<size_t>& begins) {
  Price price;
  for (size_t i = 0; i < begins.size(); ++i) {
    const size_t end = i + 1 < begins.size() ? begins[i + 1] : points.size();
    price.push_back(
        {0, fitLine(points.begin() + begins[i], points.begin() + end, i == 0)});
    if (i > 0) {
      join(price[i - 1], price[i], points[begins[i] - 1].bytes,
           points[begins[i]].bytes);
    }
  }
  return price;
}

/// Returns the sum of the squared residuals of `price` over `points`.
double squaredResiduals(const Price& price, const std::vector<Point>& points) {
  double sum = 0;
  for (const Point& point : points) sum += std::pow(residual(price, point), 2);
  return sum;
}

/// Tries all ways to begin `numClasses` more classes after those in `begins`,
/// and keeps the price with the least sum of squared residuals in `best`, and
/// that sum in `least`.
void search(const std::vector<Point>& points, size_t numClasses,
            std::vector<size_t>& begins, Price& best, double& least) {
  if (numClasses == 0) {
    Price price = fitClasses(points, begins);
    const double sum = squaredResiduals(price, points);
    if (sum < least) {
      least = sum;
      best = std::move(price);
    }
    return;
  }
  for (size_t begin = begins.back() + kLeastPoints;
       begin + kLeastPoints * numClasses <= points.size(); ++begin) {
    if (points[begin].bytes == points[begin - 1].bytes) continue;
    begins.push_back(begin);
    search(points, numClasses - 1, begins, best, least);
    begins.pop_back();
  }
}

}  // namespace

double secondsOf(const Price& price, double bytes) {
  for (const PriceClass& messages : price) {
    if (bytes <= static_cast<double>(messages.largestBytes)) {
      return messages.line.at(bytes);
    }
  }
  return price.back().line.at(bytes);
}

Line fitLine(const std::vector<Point>& points) {
  return fitLine(points.begin(), points.end(), /*isFirst=*/true);
}

Price fitPrice(std::vector<Point> points, double tolerance) {
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.bytes < b.bytes; });
  Price best;
  double least = std::numeric_limits<double>::infinity();
  for (size_t numClasses = 1; numClasses <= kMostClasses; ++numClasses) {
    std::vector<size_t> begins = {0};
    search(points, numClasses - 1, begins, best, least);
    if (worstResidual(best, points) <= tolerance) break;
  }
  return best;
}

double residual(const Price& price, const Point& point) {
  return secondsOf(price, point.bytes) / point.seconds - 1;
}

double worstResidual(const Price& price, const std::vector<Point>& points) {
  double worst = 0;
  for (const Point& point : points) {
    worst = std::max(worst, std::abs(residual(price, point)));
  }
  return worst;
}

}  // namespace sbp::calibration
