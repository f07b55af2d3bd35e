#include "passes/search/layout/MemoryLimit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "passes/search/layout/Crossing.h"
#include "passes/search/solvers/Mixture.h"

namespace sbp::search {
namespace {

constexpr int64_t kMaxLooks = 2'000'000;
constexpr int64_t kMaxPrices = 40;
/// By which part of the bound the slack begins, and grows.
constexpr double kFirstSlack = 2e-5;
constexpr double kSlackGrowth = 2;

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

const HullPlan& MemoryLimit::hullPlan(double ticksPerByte) {
  auto [known, isNew] = known_.try_emplace(ticksPerByte);
  HullPlan& plan = known->second;
  if (!isNew) return plan;
  priced_->setBytePrice(ticksPerByte);
  ExactOptions options;
  options.certifies = false;
  options.enoughGap = options_.enoughGap;
  ExactAnswer answer = ExactSearch(*priced_, options).solve();
  plan.ticksPerByte = ticksPerByte;
  plan.bound = answer.lowerBound;
  if (answer.optimum == kNever) return plan;
  if (auto crossed = crossAlong(*priced_, answer.residuals, kMaxLooks)) {
    plan.plan = std::move(*crossed);
    plan.cost = plan.plan.cost();
  }
  return plan;
}

double MemoryLimit::findPrice(double limitBytes, LimitedAnswer& answer) {
  std::vector<Ingredient> ingredients;
  double best = 0;
  // Whether the plan at this price is new to the mixture.
  auto look = [&](double price) {
    const HullPlan& plan = hullPlan(price);
    Ticks bound = std::ceil(plan.bound - price * limitBytes);
    if (bound > answer.lowerBound) {
      answer.lowerBound = bound;
      best = price;
    }
    if (plan.cost.ticks == kNever) return false;
    if (isWithin(plan.cost, limitBytes) &&
        plan.cost.ticks < answer.cost.ticks) {
      answer.cost = plan.cost;
      answer.plan = plan.plan;
    }
    Ingredient added{plan.cost.ticks, {plan.cost.bytes / limitBytes}};
    for (const Ingredient& known : ingredients)
      if (known.cost == added.cost && known.uses == added.uses) return false;
    ingredients.push_back(std::move(added));
    return true;
  };
  look(0);
  // Dearer and dearer, until one fits; then what the best mixture says.
  for (double price = 1; price < 1e6 && answer.cost.ticks == kNever; price *= 8)
    look(price);
  while (answer.cost.ticks < kNever && answer.lowerBound < answer.cost.ticks &&
         answer.searches < kMaxPrices) {
    Mixture mixture = mix(ingredients);
    double price = mixture.prices[0] / limitBytes;
    if (known_.count(price) > 0 || !look(price) ||
        mixture.cost - answer.lowerBound <=
            (1e-7 + options_.enoughGap) * mixture.cost)
      break;
  }
  answer.searches = static_cast<int64_t>(known_.size());
  return best;
}

LimitedAnswer MemoryLimit::solve(double limitBytes) {
  LimitedAnswer answer;
  answer.fewestBytes = fewestBytes();
  if (answer.fewestBytes > limitBytes) {
    answer.lowerBound = kNever;
    return answer;
  }
  priced_->setBytePrice(findPrice(limitBytes, answer));
  if (answer.lowerBound < answer.cost.ticks) findPlan(limitBytes, answer);
  return answer;
}

void MemoryLimit::findPlan(double limitBytes, LimitedAnswer& answer) {
  LabelQuestion question;
  question.limitBytes = limitBytes;
  question.bytePrice = priced_->bytePrice();
  question.maxLabels = options_.maxLabels;
  question.fewestLeft = {fewestBytesOf(priced_->tailTables())};
  for (int64_t p = priced_->numSteps() - 1; p >= 0; --p)
    question.fewestLeft.push_back(
        question.fewestLeft.back() +
        fewestBytesOf(priced_->blockTables(priced_->blockAt(p))));
  question.fewestLeft.push_back(0);
  std::reverse(question.fewestLeft.begin(), question.fewestLeft.end());

  ExactOptions options;
  options.certifies = false;
  options.enoughGap = options_.enoughGap;
  ExactSearch search(*priced_, options);
  search.solve();
  CountedFronts fronts(*priced_);
  Ticks paid = question.bytePrice * limitBytes;
  Ticks slack = kFirstSlack * answer.lowerBound;
  while (answer.lowerBound < answer.cost.ticks) {
    Ticks most = std::min(answer.lowerBound + slack, answer.cost.ticks);
    // Whole ticks are rounded down, op by op: never above what is true.
    question.reach = most + paid;
    bool isCovered = search.cover(question.reach, options_.maxRows);
    question.left = [&](int64_t position, Layout layout) {
      return search.backward().at(position, layout);
    };
    Corridor corridor = corridorOf(*priced_, search, question.reach);
    fronts.fill(corridor);
    std::vector<Crossings> named(corridor.passages.size());
    LabelAnswer labels;
    bool isNamed = false;
    while (!isNamed) {
      labels = fastestAlong(corridor, question);
      ++answer.labelSearches;
      if (!labels.isComplete || labels.cost.ticks == kNever) break;
      isNamed = nameWays(corridor, labels, named);
    }
    if (labels.cost.ticks < answer.cost.ticks) {
      answer.cost = labels.cost;
      answer.plan.emplace();
      std::map<std::pair<int64_t, int64_t>, int64_t> numbers;
      for (size_t i = 0; i < labels.ways.size(); ++i) {
        auto [passage, way] = labels.ways[i];
        const Crossing& crossing = (*named[passage])[way];
        CrossedPlan& plan = *answer.plan;
        if (i == 0) {
          plan.head = crossing;
        } else if (i + 1 == labels.ways.size()) {
          plan.tail = crossing;
        } else {
          auto [number, isNew] =
              numbers.try_emplace({passage, way}, plan.crossings.size());
          if (isNew) plan.crossings.push_back(crossing);
          plan.steps.push_back(number->second);
        }
      }
    }
    if (!labels.isComplete || !isCovered) return;
    // What was not found is not there.
    answer.lowerBound = std::min(most, answer.cost.ticks);
    slack *= kSlackGrowth;
  }
}

bool MemoryLimit::nameWays(Corridor& corridor, const LabelAnswer& labels,
                           std::vector<Crossings>& named) const {
  bool isNamed = true;
  for (auto [index, way] : labels.ways) {
    if (named[index]) continue;
    Passage& passage = corridor.passages[index];
    TimeAndBytes promised = passage.front[way];
    CrossingQuery query{true, passage.budget, kMaxLooks};
    named[index] =
        passage.block == Passage::kHead ? crossHead(*priced_, passage.to, query)
        : passage.block == Passage::kTail
            ? crossTail(*priced_, passage.from, query)
            : cross(*priced_, passage.block, passage.from, passage.to, query);
    passage.front.clear();
    for (const Crossing& crossing : *named[index])
      passage.front.push_back(crossing.cost);
    (void)promised;
    isNamed = false;
  }
  return isNamed;
}

std::vector<HullPlan> MemoryLimit::front(int64_t number) {
  std::vector<HullPlan> front = {hullPlan(0)};
  double fewest = fewestBytes();
  // Prices rise until little more than the fewest bytes are needed.
  for (double price = 0.5;
       static_cast<int64_t>(front.size()) < number && price < 1e5; price *= 3) {
    const HullPlan& plan = hullPlan(price);
    if (plan.cost.bytes < front.back().cost.bytes) front.push_back(plan);
    if (plan.cost.bytes < 1.02 * fewest) break;
  }
  return front;
}

}  // namespace sbp::search
