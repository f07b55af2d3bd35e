#include "passes/search/budget/MemoryLimit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "passes/search/budget/BudgetTuning.h"
#include "passes/search/lifting/BlockTransition.h"
#include "passes/search/solvers/Mixture.h"

namespace sbp::search {
namespace {

bool isWithin(const TimeAndBytes& cost, double limitBytes) {
  return cost.ticks < kNever && cost.bytes <= limitBytes;
}

}  // namespace

MemoryLimit::MemoryLimit(PricedChain& priced, MemoryOptions options)
    : priced_(&priced), options_(options) {
  auto blocks = static_cast<double>(priced.numSteps() + 1);
  roughGap_ = kBudget.roughGap / blocks;
  priceGap_ = kBudget.priceGap / blocks;
  samePrice_ = kBudget.samePrice / blocks;
}

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
  // Rows and value functions take much memory on large machines, so free them
  // first.
  last_ = nullptr;
  last_ = std::make_unique<ExactSearch>(*priced_, searchOptions(gap, ceiling));
  ExactAnswer answer = last_->solve();
  plan.ticksPerByte = ticksPerByte;
  plan.gap = gap;
  plan.bound = std::max(plan.bound, answer.lowerBound);
  if (answer.optimum == kNever) return plan;
  if (auto crossed = transitionsAlong(*priced_, answer.residuals, kMaxLooks)) {
    plan.laid = {std::move(*crossed), std::move(answer.residuals)};
    plan.cost = plan.laid.plan.cost();
  }
  return plan;
}

void MemoryLimit::findPrice(double limitBytes, LimitedAnswer& answer) {
  std::vector<Ingredient> ingredients;
  double bestPrice = 0, gap = roughGap_;
  // Returns whether the plan at this price is new to the mixture.
  auto look = [&](double price) {
    // Rough searches have no ceiling: they show where plans are.
    Ticks ceiling = kNever;
    if (gap == priceGap_) ceiling = answer.cost.ticks + price * limitBytes;
    const HullPlan& plan = hullPlan(price, gap, ceiling);
    ++answer.searches;
    // The product is rounded, so the bound may be above the cost of a plan.
    Ticks bound =
        std::min(std::ceil(plan.bound - price * limitBytes), answer.cost.ticks);
    // Bounds are not exact for their prices. The last price of the mixture is
    // the best one, unless its bound is clearly lower.
    if (bound >= answer.lowerBound * (1 - priceGap_)) {
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
  // Raise the price until a plan fits; then take the prices of the best
  // mixture, with rough searches first.
  double first = kBudget.firstShare * answer.lowerBound / limitBytes;
  for (double price = first; price < 1e6 * first && answer.cost.ticks == kNever;
       price *= 8)
    look(price);
  while (answer.cost.ticks < kNever && answer.lowerBound < answer.cost.ticks &&
         answer.searches < kBudget.maxPrices) {
    Mixture mixture = mix(ingredients);
    double price = mixture.prices[0] / limitBytes;
    bool isLast = mixture.cost - answer.lowerBound <= gap * mixture.cost ||
                  std::abs(price - bestPrice) <= samePrice_ * price ||
                  !look(price);
    if (!isLast) continue;
    if (gap == priceGap_) break;
    splice(limitBytes, answer);
    gap = priceGap_;
    look(mix(ingredients).prices[0] / limitBytes);
  }
  last_ = nullptr;
  priced_->setBytePrice(bestPrice);
}

void MemoryLimit::splice(double limitBytes, LimitedAnswer& answer) {
  // Pairs, by the time of the mixture that needs just the limit.
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
  pairs.resize(std::min(pairs.size(), kBudget.mostSpliced));
  Splicer splicer(*priced_, kBudget.splicedLooks);
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
  if (answer.lowerBound == answer.cost.ticks) return answer;
  // The search of a price that had been asked for before is gone.
  if (!best_) {
    Ticks ceiling = answer.cost.ticks + priced_->bytePrice() * limitBytes;
    best_ = std::make_unique<ExactSearch>(*priced_,
                                          searchOptions(priceGap_, ceiling));
    best_->solve();
  }
  ExactAnswer atPrice = best_->proceed(priceGap_, kBudget.bestPriceWork);
  Ticks bound =
      std::ceil(atPrice.lowerBound - priced_->bytePrice() * limitBytes);
  answer.lowerBound =
      std::max(answer.lowerBound, std::min(bound, answer.cost.ticks));
  std::vector<const std::vector<Layout>*> plans;
  for (const auto& [unused, plan] : known_)
    if (plan.cost.ticks < kNever) plans.push_back(&plan.laid.residuals);
  ReducedSpaceSearch corridors(*priced_, *best_, limitBytes, options_, answer);
  corridors.mix(plans);
  corridors.run(atPrice.optimum);
  return answer;
}

ExactOptions MemoryLimit::searchOptions(double gap, Ticks ceiling) const {
  ExactOptions options;
  // For rough searches, costs by counts are good enough.
  options.certifies = gap <= priceGap_;
  options.enoughGap = gap;
  options.ceiling = ceiling;
  options.maxWork = std::min(kBudget.priceWork, options_.maxWork);
  return options;
}

std::vector<HullPlan> MemoryLimit::front(int64_t number) {
  std::vector<HullPlan> front = {hullPlan(0, priceGap_)};
  double fewest = fewestBytes();
  // Raises prices until a plan needs little more than the fewest bytes.
  for (double price = 0.5;
       static_cast<int64_t>(front.size()) < number && price < 1e5; price *= 3) {
    const HullPlan& plan = hullPlan(price, priceGap_);
    if (plan.cost.bytes < front.back().cost.bytes) front.push_back(plan);
    if (plan.cost.bytes < 1.02 * fewest) break;
  }
  return front;
}

}  // namespace sbp::search
