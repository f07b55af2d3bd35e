#include "passes/search/layout/MemoryLimit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "passes/search/layout/Crossing.h"
#include "passes/search/solvers/Mixture.h"

namespace sbp::search {
namespace {

constexpr int64_t kMaxLooks = 300'000;
constexpr int64_t kMaxPrices = 40;
/// Which part of the time all bytes cost at the first price.
constexpr double kFirstShare = 0.02;
/// How near to their bounds searches for prices end: while the price is looked
/// for, and for the plans whose mixture says which it is.
constexpr double kRoughGap = 5e-3, kPriceGap = 1e-4;
/// And how much they do at most: corridors are searched for more.
constexpr double kPriceWork = 4e7;
/// How much the search for the price that was found does further.
constexpr double kCorridorWork = 1e8;
/// Prices that differ by less than this part have equal bounds, nearly.
constexpr double kSamePrice = 1e-3;
/// How many pairs of plans of the hull are spliced, and how many layouts may be
/// looked at for one crossing from one to the other.
constexpr size_t kMostSpliced = 3;
constexpr int64_t kSplicedLooks = 50'000;
/// By which part of the bound the slack begins; and how it grows where no plan
/// was found, and where it was known before that there is none.
constexpr double kFirstSlack = 1e-4;
constexpr double kSlackGrowth = 1.6, kEmptySlackGrowth = 2.5;
/// How many ways over a step all corridors have together.
constexpr int64_t kMostPasses = 4'000'000;
/// How often less is asked for, and again, where corridors are too wide.
constexpr int64_t kMostFailures = 3;

/// Which parts of the slack are asked for, one after the other.
constexpr double kPartsOfSlack[] = {0.25, 0.5, 0.75, 1};

/// What fronts from a layout take.
constexpr double kWalksPerStart = 1;
/// How many labels of a layout are kept where any good plan will do.
constexpr int64_t kSomeLabels = 6;
/// How often the steps of a plan are named before all passages are, or the plan
/// is given up.
constexpr int64_t kSomeTimes = 3;

bool isWithin(const TimeAndBytes& cost, double limitBytes) {
  return cost.ticks < kNever && cost.bytes <= limitBytes;
}

}  // namespace

MemoryLimit::MemoryLimit(PricedChain& priced, MemoryOptions options)
    : priced_(&priced), options_(options) {}

double MemoryLimit::fewestBytesOf(const std::vector<OpTable>& tables) const {
  double sum = 0;
  for (const OpTable& table : tables) {
    double least = kNever;
    for (const OpTable::Way& way : table.ways)
      for (size_t i = 0; i < way.ticks.size(); ++i)
        if (way.ticks[i] < kNever) least = std::min(least, way.bytes[i]);
    sum += least;
  }
  return sum;
}

double MemoryLimit::fewestBytes() const {
  double sum = fewestBytesOf(priced_->headTables()) +
               fewestBytesOf(priced_->tailTables());
  std::vector<double> ofBlocks;
  for (int64_t block = 0; block < priced_->numBlocks(); ++block)
    ofBlocks.push_back(fewestBytesOf(priced_->blockTables(block)));
  for (int64_t p = 0; p < priced_->numSteps(); ++p)
    sum += ofBlocks[priced_->blockAt(p)];
  return sum;
}

const HullPlan& MemoryLimit::hullPlan(double ticksPerByte, double gap,
                                      Ticks ceiling) {
  HullPlan& plan = known_[ticksPerByte];
  if (plan.gap <= gap) return plan;
  priced_->setBytePrice(ticksPerByte);
  // Rows and trails of large machines take much: one search less at a time.
  last_ = nullptr;
  last_ = std::make_unique<ExactSearch>(*priced_, searchOptions(gap, ceiling));
  ExactAnswer answer = last_->solve();
  plan.ticksPerByte = ticksPerByte;
  plan.gap = gap;
  plan.bound = std::max(plan.bound, answer.lowerBound);
  if (answer.optimum == kNever) return plan;
  if (auto crossed = crossAlong(*priced_, answer.residuals, kMaxLooks)) {
    plan.laid = {std::move(*crossed), std::move(answer.residuals)};
    plan.cost = plan.laid.plan.cost();
  }
  return plan;
}

void MemoryLimit::findPrice(double limitBytes, LimitedAnswer& answer) {
  std::vector<Ingredient> ingredients;
  double bestPrice = 0, gap = kRoughGap;
  // Whether the plan at this price is new to the mixture.
  auto look = [&](double price) {
    // Rough searches say where plans are, whatever they cost.
    Ticks ceiling = kNever;
    if (gap == kPriceGap) ceiling = answer.cost.ticks + price * limitBytes;
    const HullPlan& plan = hullPlan(price, gap, ceiling);
    ++answer.searches;
    // Products are rounded, but a plan is a plan.
    Ticks bound =
        std::min(std::ceil(plan.bound - price * limitBytes), answer.cost.ticks);
    // Bounds are not quite those of their prices; what the mixture asked for
    // last is the best price, unless it is clearly not.
    if (bound >= answer.lowerBound * (1 - kPriceGap)) {
      bestPrice = price;
      best_ = std::move(last_);
    }
    answer.lowerBound = std::max(answer.lowerBound, bound);
    if (plan.cost.ticks == kNever) return false;
    if (isWithin(plan.cost, limitBytes) &&
        plan.cost.ticks < answer.cost.ticks) {
      answer.cost = plan.cost;
      answer.plan = plan.laid.plan;
    }
    Ingredient added{plan.cost.ticks, {plan.cost.bytes / limitBytes}};
    for (const Ingredient& known : ingredients)
      if (known.cost == added.cost && known.uses == added.uses) return false;
    ingredients.push_back(std::move(added));
    return true;
  };
  look(0);
  // Dearer and dearer, until one fits; then what the best mixture says, first
  // roughly.
  double first = kFirstShare * answer.lowerBound / limitBytes;
  for (double price = first; price < 1e6 * first && answer.cost.ticks == kNever;
       price *= 8)
    look(price);
  while (answer.cost.ticks < kNever && answer.lowerBound < answer.cost.ticks &&
         answer.searches < kMaxPrices) {
    Mixture mixture = mix(ingredients);
    double price = mixture.prices[0] / limitBytes;
    bool isLast = mixture.cost - answer.lowerBound <= gap * mixture.cost ||
                  std::abs(price - bestPrice) <= kSamePrice * price ||
                  !look(price);
    if (!isLast) continue;
    if (gap == kPriceGap) break;
    splice(limitBytes, answer);
    gap = kPriceGap;
    look(mix(ingredients).prices[0] / limitBytes);
  }
  last_ = nullptr;
  priced_->setBytePrice(bestPrice);
}

void MemoryLimit::splice(double limitBytes, LimitedAnswer& answer) {
  // Pairs by what their mixtures take that need just the limit.
  std::vector<std::tuple<double, const HullPlan*, const HullPlan*>> pairs;
  for (const auto& [unused, large] : known_)
    for (const auto& [unusedToo, small] : known_) {
      const TimeAndBytes &a = large.cost, &b = small.cost;
      if (a.ticks == kNever || a.bytes <= limitBytes ||
          !isWithin(b, limitBytes))
        continue;
      double part = (limitBytes - b.bytes) / (a.bytes - b.bytes);
      pairs.push_back({b.ticks + part * (a.ticks - b.ticks), &large, &small});
    }
  std::sort(pairs.begin(), pairs.end());
  pairs.resize(std::min(pairs.size(), kMostSpliced));
  Splicer splicer(*priced_, kSplicedLooks);
  for (const auto& [unused, large, small] : pairs)
    for (const auto& [begin, end] :
         {std::pair(large, small), std::pair(small, large)}) {
      auto plan = splicer.fastest(begin->laid, end->laid, limitBytes);
      if (!plan || !(plan->cost().ticks < answer.cost.ticks)) continue;
      answer.cost = plan->cost();
      answer.plan = std::move(plan);
    }
}

LimitedAnswer MemoryLimit::solve(double limitBytes) {
  LimitedAnswer answer;
  answer.fewestBytes = fewestBytes();
  if (answer.fewestBytes > limitBytes) {
    answer.lowerBound = kNever;
    return answer;
  }
  best_ = nullptr;
  findPrice(limitBytes, answer);
  if (answer.lowerBound < answer.cost.ticks) findPlan(limitBytes, answer);
  return answer;
}

ExactOptions MemoryLimit::searchOptions(double gap, Ticks ceiling) const {
  ExactOptions options;
  // What counts of axes promise says well enough where the price is.
  options.certifies = gap <= kPriceGap;
  options.enoughGap = gap;
  options.ceiling = ceiling;
  options.maxWork = std::min(kPriceWork, options_.maxWork);
  return options;
}

void MemoryLimit::findPlan(double limitBytes, LimitedAnswer& answer) {
  double bytePrice = priced_->bytePrice();
  Ticks paid = bytePrice * limitBytes;
  // A price that was asked for before has no search any more.
  if (!best_) {
    best_ = std::make_unique<ExactSearch>(
        *priced_, searchOptions(kPriceGap, answer.cost.ticks + paid));
    best_->solve();
  }
  ExactSearch& search = *best_;
  ExactAnswer atPrice = search.proceed(kPriceGap, kCorridorWork);
  answer.lowerBound = std::max(
      answer.lowerBound,
      std::min(std::ceil(atPrice.lowerBound - paid), answer.cost.ticks));
  Ticks slack = kFirstSlack * answer.lowerBound;
  // The bound is not quite that of this price yet: that is near its plan.
  Ticks least = std::min(atPrice.optimum - paid, answer.lowerBound + 2 * slack);
  int64_t failures = 0, passes = 0;
  while (answer.lowerBound < answer.cost.ticks) {
    Ticks most = std::max(least, answer.lowerBound) + slack;
    // What is little more is looked at now rather than later.
    if (most + slack / 4 >= answer.cost.ticks) most = answer.cost.ticks;
    // Whole ticks are rounded down, op by op: never above what is true.
    Ticks reach = most + paid;
    if (!search.cover(reach, options_.maxWork)) {
      // Less is better than nothing.
      if (++failures > kMostFailures) return;
      least = answer.lowerBound;
      slack /= 4;
      continue;
    }
    // All that matters has rows: what they say of this price is exact.
    Ticks bound = std::min(most, std::ceil(search.bound() - paid));
    answer.lowerBound = std::max(answer.lowerBound, bound);
    if (bound == most) {
      slack *= kEmptySlackGrowth;
      continue;
    }
    Corridor corridor = corridorOf(*priced_, search, reach);
    // Fronts from one layout take some walks.
    if (kWalksPerStart * static_cast<double>(corridor.numStarts()) *
                static_cast<double>(priced_->space().numLayouts()) >
            options_.maxWork ||
        (passes += corridor.numPasses()) > kMostPasses)
      return;
    Fronts fronts(*priced_, search, corridor, reach);
    if (!fronts.areFilled()) return;
    // Fronts rise when they are named, so this stays true.
    LeftAlong left(corridor, bytePrice, limitBytes);
    // Labels are fewer by far where less is wanted.
    Ticks known = answer.lowerBound;
    for (double part : kPartsOfSlack) {
      Ticks wanted = known + part * (most - known);
      if (!findFastest(corridor, fronts, left, std::ceil(wanted), answer)) {
        findSome(corridor, fronts, left, answer);
        return;
      }
      if (answer.lowerBound == answer.cost.ticks) return;
    }
    findSome(corridor, fronts, left, answer);
    if (failures == 0)
      slack *= kSlackGrowth;
    else if (++failures > kMostFailures)
      return;
  }
}

bool MemoryLimit::findFastest(const Corridor& corridor, Fronts& fronts,
                              const LeftAlong& left, Ticks most,
                              LimitedAnswer& answer) const {
  most = std::min(most, answer.cost.ticks);
  auto naming = Naming::Corrected;
  for (int64_t i = 0; naming == Naming::Corrected; ++i) {
    // Where counts were wrong often they will be again.
    if (i == kSomeTimes && !fronts.nameAll()) return false;
    LabelAnswer labels = fastestAlong(
        corridor, left,
        {most, options_.maxLabels - answer.labels, /*keptLabels=*/0});
    ++answer.labelSearches;
    answer.labels += labels.labels;
    if (!labels.isComplete) return false;
    naming = nameSteps(corridor, fronts, labels);
    if (naming == Naming::Kept) naming = keepIfBetter(corridor, labels, answer);
    if (naming == Naming::Missing) return false;
  }
  // What was not found is not there.
  answer.lowerBound =
      std::max(answer.lowerBound, std::min(most, answer.cost.ticks));
  return true;
}

void MemoryLimit::findSome(const Corridor& corridor, Fronts& fronts,
                           const LeftAlong& left, LimitedAnswer& answer) const {
  auto naming = Naming::Corrected;
  for (int64_t i = 0; i < kSomeTimes && naming == Naming::Corrected; ++i) {
    LabelAnswer labels = fastestAlong(
        corridor, left, {answer.cost.ticks, options_.maxLabels, kSomeLabels});
    naming = nameSteps(corridor, fronts, labels);
    if (naming == Naming::Kept) naming = keepIfBetter(corridor, labels, answer);
  }
}

MemoryLimit::Naming MemoryLimit::nameSteps(const Corridor& corridor,
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
  return naming;
}

MemoryLimit::Naming MemoryLimit::keepIfBetter(const Corridor& corridor,
                                              const LabelAnswer& labels,
                                              LimitedAnswer& answer) const {
  if (!(labels.cost.ticks < answer.cost.ticks)) return Naming::Kept;
  std::optional<CrossedPlan> plan = planOf(corridor, labels);
  if (!plan) return Naming::Missing;
  answer.cost = labels.cost;
  answer.plan = std::move(plan);
  return Naming::Kept;
}

std::optional<Crossing> MemoryLimit::crossingOf(
    const Passage& passage, const TimeAndBytes& cost) const {
  // Rounded up, for a product is rounded.
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

std::optional<CrossedPlan> MemoryLimit::planOf(
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

std::vector<HullPlan> MemoryLimit::front(int64_t number) {
  std::vector<HullPlan> front = {hullPlan(0, kPriceGap)};
  double fewest = fewestBytes();
  // Prices rise until little more than the fewest bytes are needed.
  for (double price = 0.5;
       static_cast<int64_t>(front.size()) < number && price < 1e5; price *= 3) {
    const HullPlan& plan = hullPlan(price, kPriceGap);
    if (plan.cost.bytes < front.back().cost.bytes) front.push_back(plan);
    if (plan.cost.bytes < 1.02 * fewest) break;
  }
  return front;
}

}  // namespace sbp::search
