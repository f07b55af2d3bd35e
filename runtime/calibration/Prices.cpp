#include "runtime/calibration/Prices.h"

#include <algorithm>
#include <utility>

namespace sbp::calibration {
namespace {

/// Returns the number of messages that a member sends one after another, as the
/// compiler counts them.
double numMessages(const Sample& sample) {
  const auto others = static_cast<double>(sample.members - 1);
  return sample.kind == Kind::kAllReduce ? 2 * others : others;
}

/// Returns the size of one message of the sample's collective, and its share of
/// the time.
Point pointOf(const Sample& sample) {
  return {
      static_cast<double>(sample.bytes) / static_cast<double>(sample.members),
      sample.seconds / numMessages(sample)};
}

std::vector<Point> pointsOf(const std::vector<Sample>& samples) {
  std::vector<Point> points;
  for (const Sample& sample : samples) points.push_back(pointOf(sample));
  return points;
}

/// Returns the samples of `kind` in groups of `members`; 0: groups of any size.
std::vector<Sample> select(const std::vector<Sample>& samples, Kind kind,
                           int64_t members) {
  std::vector<Sample> selected;
  for (const Sample& sample : samples) {
    if (sample.kind != kind) continue;
    if (members == 0 || sample.members == members) selected.push_back(sample);
  }
  return selected;
}

/// Returns the prices of `kind` where they differ from the level's `line`:
/// none, one for groups of any size, or one for each size of group.
std::vector<KindPrice> priceKind(const Level& level, const Line& line,
                                 Kind kind,
                                 const std::vector<Sample>& samples) {
  const std::vector<Point> all = pointsOf(select(samples, kind, 0));
  if (worstResidual({{0, line}}, all) <= kTolerance) return {};
  Price common = fitPrice(all, kTolerance);
  if (level.groups.size() == 1 || worstResidual(common, all) <= kTolerance) {
    return {{kind, 0, std::move(common)}};
  }
  std::vector<KindPrice> prices;
  for (const GroupSize& group : level.groups) {
    prices.push_back(
        {kind, group.members,
         fitPrice(pointsOf(select(samples, kind, group.members)), kTolerance)});
  }
  return prices;
}

/// Returns the seconds of a message of `bytes` bytes on `level` in a group of
/// `members`. Uses the price for the smallest measured size of group that is at
/// least `members`, or else for the largest measured size.
double messageSeconds(const LevelPrices& level, Kind kind, int64_t members,
                      double bytes) {
  const Price* chosen = nullptr;
  for (const KindPrice& price : level.prices) {
    if (price.kind != kind) continue;
    chosen = &price.price;
    if (price.members >= members) break;
  }
  return chosen ? secondsOf(*chosen, bytes) : level.line.at(bytes);
}

}  // namespace

LevelPrices priceLevel(const Level& level, const std::vector<Sample>& samples) {
  LevelPrices prices{level.name, level.count, fitLine(pointsOf(samples)), {}};
  for (size_t i = 0; i < samples.size(); ++i) {
    const Kind kind = samples[i].kind;
    if (i > 0 && samples[i - 1].kind == kind) continue;
    for (KindPrice& price : priceKind(level, prices.line, kind, samples)) {
      prices.prices.push_back(std::move(price));
    }
  }
  return prices;
}

double predict(const std::vector<LevelPrices>& levels, const Sample& sample) {
  const auto numLevels = static_cast<int64_t>(levels.size());
  const double bytes = pointOf(sample).bytes;
  const bool isOverAll = sample.level == numLevels;
  double seconds = 0;
  double inner = 1;  // members that differ in inner levels only
  for (int64_t i = numLevels - 1; i >= 0; --i) {
    if (!isOverAll && sample.level != i) continue;
    const int64_t members = isOverAll ? levels[i].count : sample.members;
    seconds += static_cast<double>(members - 1) * inner *
               messageSeconds(levels[i], sample.kind, members, bytes);
    inner *= static_cast<double>(members);
  }
  return sample.kind == Kind::kAllReduce ? 2 * seconds : seconds;
}

}  // namespace sbp::calibration
