// Prices of messages in a level of the machine, fitted to measured collectives
// (Measure.h).
//
// The compiler prices a collective of p members on n bytes as p - 1 messages of
// n/p bytes each, and an all-reduce as twice as many (dialects/sbp/Network.h).
// So each sample gives one point for the fit (Fit.h): the size of such a
// message, and the time of the sample divided by the number of messages. But
// the runtime does not send such messages in a ring (docs/decisions/0005). If
// members read each other's memory, a large group takes hardly longer than a
// small one; if the ranks of a host share cores, a large group takes much
// longer. So some prices hold only for groups of one size.
//
// Each kind of collective gets the first of the following prices that is within
// kTolerance of all points of this kind, or else the last:
//
//   1. the line of the level, fitted to all its samples
//   2. one price of the kind, for groups of any size
//   3. a price of the kind for each size of group

#ifndef RUNTIME_CALIBRATION_PRICES_H_
#define RUNTIME_CALIBRATION_PRICES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/calibration/Fit.h"
#include "runtime/calibration/Grid.h"
#include "runtime/calibration/Measure.h"

namespace sbp::calibration {

/// Largest relative error of a price that counts as a good fit.
inline constexpr double kTolerance = 0.15;

/// The price of one kind of collective, for groups of one size or of any size.
struct KindPrice {
  Kind kind = Kind::kAllReduce;
  int64_t members = 0;  // 0: groups of any size
  Price price;
};

/// The prices of one level.
struct LevelPrices {
  std::string name;
  int64_t count = 1;
  Line line;                      // for kinds that have no price of their own
  std::vector<KindPrice> prices;  // by kind, then by ascending `members`
};

/// Fits the prices of one level to its samples, of which there must be at least
/// one. The samples are in the order of measureCollectives().
LevelPrices priceLevel(const Level& level, const std::vector<Sample>& samples);

/// Returns the priced seconds of the collective of `sample`. `levels` has all
/// levels of the grid, outermost first. For the group of all ranks, sums the
/// prices of the messages that cross each level (passes/cost/Collectives.h).
/// Ignores `sample.seconds`.
double predict(const std::vector<LevelPrices>& levels, const Sample& sample);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_PRICES_H_
