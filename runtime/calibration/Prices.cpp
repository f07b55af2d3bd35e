#include "runtime/calibration/Prices.h"

#include <algorithm>
#include <utility>

namespace sbp::calibration {
namespace {

// How many messages a member sends, one after another.
double numMessages(const Sample& sample) {
  const auto others = static_cast<double>(sample.members - 1);
  return sample.kind == Kind::kAllReduce ? 2 * others : others;
}

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

// The samples of a kind, in groups of `members`; 0: in all groups.
std::vector<Sample> select(const std::vector<Sample>& samples, Kind kind,
                           int64_t members) {
  std::vector<Sample> selected;
  for (const Sample& sample : samples) {
    if (sample.kind != kind) continue;
    if (members == 0 || sample.members == members) selected.push_back(sample);
  }
  return selected;
}

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
  for (const Group& group : level.groups) {
    prices.push_back(
        {kind, group.members,
         fitPrice(pointsOf(select(samples, kind, group.members)), kTolerance)});
  }
  return prices;
}

// The price that the level has for a collective, or null.
const Price* priceOf(const LevelPrices& level, const Sample& sample) {
  const Price* chosen = nullptr;
  for (const KindPrice& price : level.prices) {
    if (price.kind != sample.kind) continue;
    chosen = &price.price;
    if (price.members >= sample.members) break;
  }
  return chosen;
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
  const bool isOverAll = sample.level == static_cast<int64_t>(levels.size());
  const double bytes = pointOf(sample).bytes;
  Line line;  // of the levels that have no price for this collective
  double seconds = 0;
  for (size_t i = 0; i < levels.size(); ++i) {
    if (!isOverAll && sample.level != static_cast<int64_t>(i)) continue;
    if (const Price* price = priceOf(levels[i], sample)) {
      seconds = std::max(seconds, secondsOf(*price, bytes));
    } else {
      line.alpha = std::max(line.alpha, levels[i].line.alpha);
      line.beta = std::max(line.beta, levels[i].line.beta);
    }
  }
  return numMessages(sample) * std::max(seconds, line.at(bytes));
}

}  // namespace sbp::calibration
