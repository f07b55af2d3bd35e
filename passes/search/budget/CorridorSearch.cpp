#include "passes/search/budget/CorridorSearch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "passes/search/lifting/Crossing.h"

namespace sbp::search {
namespace {

/// Distances from the bound up to which mixed plans are searched, in turn, as
/// fractions of the time of a block.
constexpr double kMixed[] = {0.0125, 0.025, 0.05};
/// Mixing ends with a plan that is at most this far from the bound, as a
/// fraction of the time of a block.
constexpr double kNearEnough = 0.05;
/// First slack of a corridor, as a fraction of the time of a block: the
/// distance of the best plan from the bound does not grow with depth. Then, the
/// factor of the slack if no plan was found, and if it was known before the
/// search that there is none.
constexpr double kFirstSlack = 0.02;
constexpr double kSlackGrowth = 1.6, kEmptySlackGrowth = 2.5;
/// Most passages of all corridors together.
constexpr int64_t kMostPasses = 4'000'000;
/// Fraction of the work left for one corridor; all of it if even the least
/// slack takes more.
constexpr double kPartOfWork = 0.25;
/// Divisor of the slack after a corridor that is too wide, and least slack.
constexpr double kSlackDecline = 2, kLeastSlack = 0.004;

/// Fractions of the slack that are searched in turn. If one takes hardly more
/// labels than the one before, the rest is searched at once.
constexpr double kPartsOfSlack[] = {0.5, 0.75, 1};
constexpr double kHardlyMore = 2;
/// Number of labels that take as long as naming the passages of one layout.
constexpr int64_t kLabelsPerNamed = 100'000;

/// Cost of the fronts from one layout, in walks.
constexpr double kWalksPerStart = 0.2;
/// Labels that are kept per position in a search for any better plan.
constexpr int64_t kSomeLabels = 300;
/// Number of times that the steps of a plan are named before all passages are,
/// or before the plan is given up.
constexpr int64_t kSomeTimes = 3;

}  // namespace

CorridorSearch::CorridorSearch(const PricedChain& priced, ExactSearch& search,
                               double limitBytes, MemoryOptions options,
                               LimitedAnswer& answer)
    : priced_(&priced),
      search_(&search),
      limitBytes_(limitBytes),
      paid_(priced.bytePrice() * limitBytes),
      options_(options),
      answer_(&answer) {}

Ticks CorridorSearch::ofOneBlock() const {
  return answer_->lowerBound / static_cast<double>(priced_->numSteps() + 1);
}

void CorridorSearch::mix(const std::vector<const std::vector<Layout>*>& plans) {
  bool isFound = false;
  for (double part : kMixed) {
    Ticks reach = answer_->lowerBound + part * ofOneBlock() + paid_;
    Corridor corridor = corridorBetween(*priced_, *search_, plans, reach);
    Fronts fronts(*priced_, *search_, corridor, reach, /*areNamed=*/true);
    if (!fronts.areFilled()) return;
    Ticks before = answer_->cost.ticks;
    findAmongNamed(corridor, fronts);
    // Then plans farther from the bound do not help.
    if (isFound && answer_->cost.ticks == before) return;
    isFound |= answer_->cost.ticks < before;
    Ticks gap = answer_->cost.ticks - answer_->lowerBound;
    if (isFound && gap <= kNearEnough * ofOneBlock()) return;
  }
}

void CorridorSearch::run(Ticks optimumAtPrice) {
  Ticks slack = kFirstSlack * ofOneBlock();
  // The bound is not exact for this price yet; the exact one is near the plan's
  // cost.
  Ticks least =
      std::min(optimumAtPrice - paid_, answer_->lowerBound + 2 * slack);
  double mostWork = search_->work() + options_.maxWork;
  double part = kPartOfWork;
  while (answer_->lowerBound < answer_->cost.ticks) {
    Ticks most = std::max(least, answer_->lowerBound) + slack;
    // If little is left up to the best plan, search it now.
    if (most + slack / 16 >= answer_->cost.ticks) most = answer_->cost.ticks;
    // Costs are rounded down to whole ticks, op by op, so they are lower
    // bounds.
    Ticks reach = most + paid_;
    if (!search_->cover(reach, part * (mostWork - search_->work()))) {
      // A smaller slack may still be possible.
      least = answer_->lowerBound;
      slack /= kSlackDecline;
      bool isLeast = slack < kLeastSlack * ofOneBlock();
      if (search_->work() >= mostWork || (isLeast && part == 1)) return;
      if (isLeast) {
        part = 1;
        slack = kFirstSlack * ofOneBlock();
      }
      continue;
    }
    // All layouts that matter have rows, so the bound at this price is exact.
    Ticks bound = std::min(most, std::ceil(search_->bound() - paid_));
    answer_->lowerBound = std::max(answer_->lowerBound, bound);
    if (bound == most) {
      slack *= kEmptySlackGrowth;
      continue;
    }
    if (!searchUpTo(most, corridorOf(*priced_, *search_, reach))) return;
    slack *= kSlackGrowth;
  }
}

bool CorridorSearch::searchUpTo(Ticks most, Corridor corridor) {
  passes_ += corridor.numPasses();
  double walks = kWalksPerStart * static_cast<double>(corridor.numStarts());
  if (passes_ > kMostPasses ||
      walks * static_cast<double>(priced_->space().numLayouts()) >
          options_.maxWork)
    return false;
  Fronts fronts(*priced_, *search_, corridor, most + paid_,
                wereWrong_ || search_->areCountsOftenWrong());
  if (!fronts.areFilled()) return false;
  // Naming only raises fronts, so these bounds stay valid.
  LeftAlong left(corridor, priced_->bytePrice(), limitBytes_);
  // A better plan lowers the limit, and with it the number of labels.
  findSome(corridor, fronts, left);
  most = std::min(most, answer_->cost.ticks);
  Ticks known = answer_->lowerBound;
  bool areFound = true, areAsMany = false;
  double labels = 0;
  for (double part : kPartsOfSlack) {
    if (areAsMany && part < 1) continue;
    Ticks wanted = std::ceil(known + part * (most - known));
    areFound = findFastest(corridor, fronts, left, wanted);
    if (!areFound || answer_->lowerBound == answer_->cost.ticks) break;
    auto before = std::exchange(labels, static_cast<double>(lastLabels_));
    areAsMany = labels < kHardlyMore * before;
  }
  return areFound;
}

bool CorridorSearch::findFastest(const Corridor& corridor, Fronts& fronts,
                                 const LeftAlong& left, Ticks most) {
  most = std::min(most, answer_->cost.ticks);
  auto naming = Naming::Corrected;
  for (int64_t i = 0; naming == Naming::Corrected; ++i) {
    // If counts were wrong often they will be again; and if there are many
    // labels, forming them again takes longer than naming all passages.
    bool areMany = lastLabels_ > kLabelsPerNamed * corridor.numStarts();
    if ((i == kSomeTimes || (i > 0 && areMany)) && !fronts.nameAll())
      return false;
    LabelAnswer labels = fastestAlong(
        corridor, left,
        {most, options_.maxLabels - answer_->labels, /*keptLabels=*/0});
    ++answer_->labelSearches;
    answer_->labels += lastLabels_ = labels.labels;
    if (!labels.isComplete) return false;
    naming = nameSteps(corridor, fronts, labels);
    if (naming == Naming::Kept) naming = keepIfBetter(corridor, labels);
    if (naming == Naming::Missing) return false;
  }
  // A plan that was not found does not exist.
  answer_->lowerBound =
      std::max(answer_->lowerBound, std::min(most, answer_->cost.ticks));
  return true;
}

void CorridorSearch::findSome(const Corridor& corridor, Fronts& fronts,
                              const LeftAlong& left) {
  auto naming = Naming::Corrected;
  for (int64_t i = 0; i < kSomeTimes && naming == Naming::Corrected; ++i) {
    LabelAnswer labels = fastestAlong(
        corridor, left, {answer_->cost.ticks, options_.maxLabels, kSomeLabels});
    naming = nameSteps(corridor, fronts, labels);
    if (naming == Naming::Kept) naming = keepIfBetter(corridor, labels);
  }
  if (naming != Naming::Corrected) return;
  findAmongNamed(corridor, fronts);
}

void CorridorSearch::findAmongNamed(Corridor corridor, const Fronts& fronts) {
  for (std::vector<int64_t>& step : corridor.steps)
    step.erase(
        std::remove_if(step.begin(), step.end(),
                       [&](int64_t index) { return !fronts.isNamed(index); }),
        step.end());
  LeftAlong left(corridor, priced_->bytePrice(), limitBytes_);
  LabelAnswer labels = fastestAlong(
      corridor, left, {answer_->cost.ticks, options_.maxLabels, kSomeLabels});
  keepIfBetter(corridor, labels);
}

CorridorSearch::Naming CorridorSearch::nameSteps(const Corridor& corridor,
                                                 Fronts& fronts,
                                                 const LabelAnswer& labels) {
  auto naming = Naming::Kept;
  for (const LabelStep& step : labels.steps) {
    if (!fronts.name(step.passage)) return Naming::Missing;
    const Front& front = corridor.passages[step.passage].front;
    bool isKept =
        std::any_of(front.begin(), front.end(), [&](const TimeAndBytes& cost) {
          return cost.ticks == step.cost.ticks && cost.bytes == step.cost.bytes;
        });
    if (!isKept) naming = Naming::Corrected;
  }
  wereWrong_ |= naming == Naming::Corrected;
  return naming;
}

CorridorSearch::Naming CorridorSearch::keepIfBetter(const Corridor& corridor,
                                                    const LabelAnswer& labels) {
  if (!(labels.cost.ticks < answer_->cost.ticks)) return Naming::Kept;
  std::optional<CrossedPlan> plan = planOf(corridor, labels);
  if (!plan) return Naming::Missing;
  answer_->cost = labels.cost;
  answer_->plan = std::move(plan);
  return Naming::Kept;
}

std::optional<Crossing> CorridorSearch::crossingOf(
    const Passage& passage, const TimeAndBytes& cost) const {
  // Rounded up, since the product is rounded.
  Ticks own = cost.ticks + priced_->bytePrice() * cost.bytes + 1;
  CrossingQuery query{true, own, kMaxLooks};
  Crossings crossings =
      passage.block == Passage::kHead ? crossHead(*priced_, passage.to, query)
      : passage.block == Passage::kTail
          ? crossTail(*priced_, passage.from, query)
          : cross(*priced_, passage.block, passage.from, passage.to, query);
  if (!crossings) return std::nullopt;
  for (Crossing& crossing : *crossings)
    if (crossing.cost.ticks == cost.ticks && crossing.cost.bytes == cost.bytes)
      return std::move(crossing);
  return std::nullopt;
}

std::optional<CrossedPlan> CorridorSearch::planOf(
    const Corridor& corridor, const LabelAnswer& labels) const {
  CrossedPlan plan;
  std::map<std::tuple<int64_t, Ticks, double>, int64_t> numbers;
  for (size_t i = 0; i < labels.steps.size(); ++i) {
    const auto& [index, cost] = labels.steps[i];
    bool isEnd = i == 0 || i + 1 == labels.steps.size();
    auto [number, isNew] =
        numbers.try_emplace({index, cost.ticks, cost.bytes},
                            static_cast<int64_t>(plan.crossings.size()));
    if (!isEnd) plan.steps.push_back(number->second);
    if (!isNew) continue;
    auto crossing = crossingOf(corridor.passages[index], cost);
    if (!crossing) return std::nullopt;
    if (i == 0)
      plan.head = std::move(*crossing);
    else if (isEnd)
      plan.tail = std::move(*crossing);
    else
      plan.crossings.push_back(std::move(*crossing));
  }
  return plan;
}

}  // namespace sbp::search
