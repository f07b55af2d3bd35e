// Prices of a level, fitted to the samples of its collectives.
//
// The compiler prices a collective of p members on n bytes as p - 1 messages of
// n/p bytes each, and an all-reduce as twice as many (dialects/sbp/Network.h).
// So each sample gives one point: the size of such a message, and its share of
// the time. The runtime does not run rings, however (docs/decisions/0005):
// where members read each other's memory, a large group takes hardly longer
// than a small one, and where the ranks of a host share cores, it takes much
// longer. A price may therefore hold for groups of one size only.
//
// Each kind of collective is priced by the first of these that is within the
// tolerance of all its points, or by the last:
//
//   1. the line of the level, fitted to all its collectives and groups
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
/// `sample.seconds` is not used.
double predict(const std::vector<LevelPrices>& levels, const Sample& sample);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_PRICES_H_
