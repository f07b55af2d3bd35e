// What a level costs, from the samples of its collectives.
//
// The compiler prices a collective of p members as p - 1 messages of a p-th of
// the tensor each, an all-reduce as twice as many (dialects/sbp/Network.h). So
// a sample is a point: the bytes of such a message, and its share of the time.
// How the runtime works is not a ring (docs/decisions/0005): where members read
// each other's memory, a larger group waits hardly longer than a small one, and
// where the ranks of a host share its cores, much longer. That is why a price
// may be of groups of one size.
//
// Of the descriptions that a machine may have, the simplest that is near enough
// to the points is taken:
//
//   1. the line of the level, over all its collectives and groups
//   2. a price of the collective, for groups of any size
//   3. prices of the collective, for each size of group

#ifndef RUNTIME_CALIBRATION_PRICES_H_
#define RUNTIME_CALIBRATION_PRICES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/calibration/Fit.h"
#include "runtime/calibration/Grid.h"
#include "runtime/calibration/Measure.h"

namespace sbp::calibration {

/// How far off a price may be: more is a bad fit.
inline constexpr double kTolerance = 0.15;

/// The prices of one collective.
struct KindPrice {
  Kind kind = Kind::kAllReduce;
  int64_t members = 0;  // 0: groups of any size
  Price price;
};

struct LevelPrices {
  std::string name;
  int64_t count = 1;
  Line line;
  std::vector<KindPrice> prices;  // of the collectives that differ from `line`
};

/// Prices one level by its samples, of which there is at least one.
LevelPrices priceLevel(const Level& level, const std::vector<Sample>& samples);

/// Seconds that a collective takes by the prices of its level, or, over all
/// levels, of those that its messages cross (passes/cost/Collectives.h).
/// `sample.seconds` plays no part.
double predict(const std::vector<LevelPrices>& levels, const Sample& sample);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_PRICES_H_
