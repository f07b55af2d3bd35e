#include "passes/search/chain/ValueFunctions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace sbp::search {
namespace {

/// Returns the constant by which `values` exceed `others`; nullopt if there is
/// none.
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

/// Returns the least difference of `values` and `others`; nullopt if the
/// difference of the cheapest layouts is larger.
std::optional<Ticks> leastAbove(const Values& values, const Values& others) {
  Ticks least = kNever;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == kNever) continue;
    if (others[i] == kNever) return std::nullopt;
    least = std::min(least, values[i] - others[i]);
  }
  if (least == kNever) return std::nullopt;
  Ticks ofCheapest = *std::min_element(values.begin(), values.end()) -
                     *std::min_element(others.begin(), others.end());
  if (least < ofCheapest) return std::nullopt;
  return least;
}

}  // namespace

const std::vector<Layout>* ValueFunctions::layoutsAt(int64_t position) const {
  return surviving_ ? &surviving_->layoutsAt(position) : nullptr;
}

ValueFunctions::Stored ValueFunctions::stored(Values values,
                                              int64_t position) const {
  const std::vector<Layout>* layouts = layoutsAt(position);
  // If there are few layouts, only their values are stored.
  if (!layouts || layouts->size() * 2 > numLayouts_)
    return {nullptr, std::make_shared<Values>(std::move(values))};
  Values few;
  for (Layout layout : *layouts) few.push_back(values[layout]);
  return {layouts, std::make_shared<Values>(std::move(few))};
}

std::shared_ptr<const Values> ValueFunctions::whole(int64_t key) const {
  const Stored& stored = stored_[key];
  if (!stored.layouts) return stored.values;
  auto values = std::make_shared<Values>(numLayouts_, kNever);
  for (size_t i = 0; i < stored.layouts->size(); ++i)
    (*values)[(*stored.layouts)[i]] = (*stored.values)[i];
  return values;
}

Ticks ValueFunctions::at(int64_t position, Layout layout) const {
  const Stored& stored = stored_[places_[position].values];
  Ticks offset = places_[position].offset;
  if (!stored.layouts) return (*stored.values)[layout] + offset;
  auto found =
      std::lower_bound(stored.layouts->begin(), stored.layouts->end(), layout);
  if (found == stored.layouts->end() || *found != layout) return kNever;
  return (*stored.values)[found - stored.layouts->begin()] + offset;
}

std::optional<ValueFunctions::Place> ValueFunctions::earlierLike(
    const Stored& made, Ticks offset, int64_t position, int64_t period,
    int64_t mostPeriods) const {
  auto last = static_cast<int64_t>(places_.size()) - 1;
  std::optional<Place> like;
  Ticks mostGained = -kNever;
  for (int64_t times = 1; times <= mostPeriods; ++times) {
    int64_t before = position - times * period;
    if (before < 0 || before > last) break;
    const Place& place = places_[before];
    const Stored& other = stored_[place.values];
    if (made.layouts != other.layouts) continue;
    std::optional<Ticks> above;
    if (times == 1) above = constantAbove(*made.values, *other.values);
    if (above) return Place{place.values, *above};
    if (mostPeriods > 1) above = leastAbove(*made.values, *other.values);
    if (!above) continue;
    // Plans may repeat only after several periods.
    Ticks gained = (offset + *above - place.offset) / static_cast<Ticks>(times);
    if (gained <= mostGained) continue;
    mostGained = gained;
    like = {place.values, *above};
  }
  return like;
}

ValueFunctions::ValueFunctions(
    Direction direction, Values values, const std::vector<int64_t>& blocks,
    const std::vector<int64_t>& periods,
    std::shared_ptr<const SurvivingLayouts> surviving, const Step& step,
    int64_t mostPeriods)
    : surviving_(std::move(surviving)), numLayouts_(values.size()) {
  auto numSteps = static_cast<int64_t>(blocks.size());
  bool isForward = direction == Direction::Forward;
  places_.resize(numSteps + 1);
  stored_.push_back(stored(values, isForward ? 0 : numSteps));
  // The values that were stored last, from which the next step mostly starts.
  auto last = std::make_shared<const Values>(std::move(values));
  // Places to which steps lead, by key, block and set.
  std::map<std::tuple<int64_t, int64_t, int64_t>, Place> known;
  int64_t unlike = 0;  // number of steps since values repeated
  for (int64_t i = 0; i < numSteps; ++i) {
    int64_t crossed = isForward ? i : numSteps - 1 - i;
    int64_t from = isForward ? crossed : crossed + 1;
    int64_t to = isForward ? crossed + 1 : crossed;
    const Place start = places_[from];
    auto [place, isNew] =
        known.try_emplace({start.values, blocks[crossed],
                           surviving_ ? surviving_->setAt(to) : 0});
    if (isNew) {
      bool isLast = start.values + 1 == static_cast<int64_t>(stored_.size());
      auto reached = std::make_shared<Values>(
          step(blocks[crossed], isLast ? *last : *whole(start.values),
               layoutsAt(to)));
      Stored made = stored(*reached, to);
      int64_t period = isForward ? periods[crossed] : -periods[crossed];
      bool isLong = unlike / periods[crossed] >= mostPeriods;
      if (std::optional<Place> earlier = earlierLike(
              made, start.offset, to, period, isLong ? mostPeriods : 1)) {
        unlike = 0;
        place->second = *earlier;
      } else {
        ++unlike;
        place->second = {static_cast<int64_t>(stored_.size()), 0};
        stored_.push_back(std::move(made));
        last = std::move(reached);
      }
    }
    places_[to] = {place->second.values, start.offset + place->second.offset};
  }
}

ValuePairs valuePairsOf(const ValueFunctions& costToCome,
                        const ValueFunctions& costToGo,
                        const std::vector<int64_t>& positions, int64_t steps) {
  ValuePairs pairs;
  std::map<std::pair<int64_t, int64_t>, int64_t> known;
  for (int64_t position : positions) {
    auto [number, isNew] = known.try_emplace(
        {costToCome.keyAt(position), costToGo.keyAt(position + steps)},
        static_cast<int64_t>(pairs.all.size()));
    if (isNew) pairs.all.push_back({position, kNever});
    Ticks& least = pairs.all[number->second].offset;
    least = std::min(least, costToCome.offsetAt(position) +
                                costToGo.offsetAt(position + steps));
    pairs.ofPosition.push_back(number->second);
  }
  return pairs;
}

}  // namespace sbp::search
