#include "passes/search/layout/Trail.h"

#include <map>
#include <optional>
#include <tuple>

namespace sbp::search {
namespace {

/// The constant by which `values` are above `others`, if there is one.
std::optional<Ticks> constantAbove(const Values& values, const Values& others) {
  std::optional<Ticks> constant;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == kNever && others[i] == kNever) continue;
    if (values[i] == kNever || others[i] == kNever) return std::nullopt;
    if (!constant) constant = values[i] - others[i];
    if (values[i] - others[i] != *constant) return std::nullopt;
  }
  return constant.value_or(0);
}

}  // namespace

Trail::Trail(Direction direction, Values values,
             const std::vector<int64_t>& blocks,
             const std::vector<int64_t>& periods,
             const std::vector<int64_t>& marks, const Step& step) {
  auto numSteps = static_cast<int64_t>(blocks.size());
  places_.resize(numSteps + 1);
  values_.push_back(std::move(values));
  // By key, block and mark, where a step leads.
  std::map<std::tuple<int64_t, int64_t, int64_t>, Place> known;
  for (int64_t i = 0; i < numSteps; ++i) {
    bool isForward = direction == Direction::Forward;
    int64_t crossed = isForward ? i : numSteps - 1 - i;
    int64_t from = isForward ? crossed : crossed + 1;
    int64_t to = isForward ? crossed + 1 : crossed;
    const Place start = places_[from];
    auto [place, isNew] =
        known.try_emplace({start.values, blocks[crossed], marks[to]});
    if (isNew) {
      Values reached = step(blocks[crossed], values_[start.values], marks[to]);
      int64_t period = periods[crossed];
      int64_t before = isForward ? to - period : to + period;
      std::optional<Ticks> above;
      if (before >= 0 && before <= numSteps && i + 1 >= period)
        above = constantAbove(reached, valuesAt(before));
      if (above) {
        place->second = {places_[before].values, *above};
      } else {
        place->second = {static_cast<int64_t>(values_.size()), 0};
        values_.push_back(std::move(reached));
      }
    }
    places_[to] = {place->second.values, start.offset + place->second.offset};
  }
}

}  // namespace sbp::search
