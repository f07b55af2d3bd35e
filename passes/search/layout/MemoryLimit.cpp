#include "passes/search/layout/MemoryLimit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "passes/search/layout/Crossing.h"

namespace sbp::search {
namespace {

constexpr int64_t kMaxLooks = 2'000'000;
/// Labels per layout and position, beyond which they are thinned out.
constexpr size_t kMostLabels = 3000;
constexpr int64_t kMostSecants = 16;

struct Cost {
  Ticks ticks = kNever;
  double bytes = 0;
};

bool operator<(const Cost& a, const Cost& b) {
  return std::tie(a.ticks, a.bytes) < std::tie(b.ticks, b.bytes);
}

/// Time and bytes of a crossing, for the storages that a price of bytes
/// prefers.
Cost costOf(const PricedChain& priced, const Block& block,
            const std::vector<OpTable>& tables, const Crossing& crossing) {
  Cost cost{0, 0};
  auto add = [&](const std::vector<CrossingStep>& steps) {
    for (const CrossingStep& step : steps) {
      if (step.what == CrossingStep::What::Move) {
        cost.ticks += step.ticks;
        continue;
      }
      Layout layout =
          forgetColours(priced.space(), crossing.colours, step.reached);
      if (!priced.terrain().leavesTerms(block.ops[step.index]))
        layout = priced.terrain().settledOf(layout);
      Ticks least = kNever;
      const OpTable::Way* best = nullptr;
      for (const OpTable::Way& way : tables[step.index].ways) {
        Ticks both = way.ticks[layout] + priced.bytePrice() * way.bytes[layout];
        if (both < least) {
          least = both;
          best = &way;
        }
      }
      cost.ticks += best->ticks[layout];
      cost.bytes += best->bytes[layout];
    }
  };
  add(crossing.branch);
  add(crossing.skip);
  return cost;
}

std::optional<Cost> blockCost(const PricedChain& priced, int64_t block,
                              Layout from, Layout to) {
  std::optional<Crossing> crossing = cross(priced, block, from, to, kMaxLooks);
  if (!crossing) return std::nullopt;
  Cost cost = costOf(priced, priced.chain().blocks[block],
                     priced.blockTables(block), *crossing);
  cost.ticks += priced.addition()[to];
  return cost;
}

std::optional<Cost> headCost(const PricedChain& priced, Layout to) {
  std::optional<Crossing> crossing = crossHead(priced, to, kMaxLooks);
  if (!crossing) return std::nullopt;
  Cost cost =
      costOf(priced, priced.chain().head, priced.headTables(), *crossing);
  cost.ticks += priced.addition()[to];
  return cost;
}

std::optional<Cost> tailCost(const PricedChain& priced, Layout from) {
  std::optional<Crossing> crossing = crossTail(priced, from, kMaxLooks);
  if (!crossing) return std::nullopt;
  return costOf(priced, priced.chain().tail, priced.tailTables(), *crossing);
}

/// Those that none beats in both, fewer if there are very many.
void prune(std::vector<Cost>& labels) {
  std::sort(labels.begin(), labels.end());
  std::vector<Cost> kept;
  for (const Cost& label : labels)
    if (kept.empty() || label.bytes < kept.back().bytes) kept.push_back(label);
  if (kept.size() > kMostLabels) {
    std::vector<Cost> thin;
    size_t step = kept.size() / kMostLabels + 1;
    for (size_t i = 0; i < kept.size(); i += step) thin.push_back(kept[i]);
    thin.push_back(kept.back());
    kept = std::move(thin);
  }
  labels = std::move(kept);
}

}  // namespace

MemoryLimit::MemoryLimit(PricedChain& priced, double enoughGap)
    : priced_(&priced), enoughGap_(enoughGap) {}

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
  options.enoughGap = enoughGap_;
  ExactAnswer answer = ExactSearch(*priced_, options).solve();
  plan.ticksPerByte = ticksPerByte;
  plan.bound = answer.lowerBound;
  plan.residuals = answer.residuals;
  if (answer.optimum == kNever) return plan;
  std::map<std::tuple<int64_t, Layout, Layout>, std::optional<Cost>> crossed;
  Cost sum{0, 0};
  auto add = [&](const std::optional<Cost>& cost) {
    sum.ticks += cost ? cost->ticks : kNever;
    sum.bytes += cost ? cost->bytes : 0;
  };
  add(headCost(*priced_, plan.residuals.front()));
  for (int64_t p = 0; p < priced_->numSteps(); ++p) {
    auto [entry, isFirst] = crossed.try_emplace(
        {priced_->blockAt(p), plan.residuals[p], plan.residuals[p + 1]});
    if (isFirst)
      entry->second = blockCost(*priced_, priced_->blockAt(p),
                                plan.residuals[p], plan.residuals[p + 1]);
    add(entry->second);
  }
  add(tailCost(*priced_, plan.residuals.back()));
  plan.cost = sum.ticks;
  plan.bytes = sum.bytes;
  return plan;
}

LimitedAnswer MemoryLimit::solve(double limitBytes) {
  LimitedAnswer answer;
  answer.fewestBytes = fewestBytes();
  if (answer.fewestBytes > limitBytes) {
    answer.lowerBound = kNever;
    return answer;
  }
  const HullPlan* fast = &hullPlan(0);
  answer.lowerBound = fast->bound;
  if (fast->cost == kNever || fast->bytes <= limitBytes) {
    answer.cost = fast->cost;
    answer.bytes = fast->bytes;
    answer.searches = static_cast<int64_t>(known_.size());
    return answer;
  }
  const HullPlan* small = nullptr;
  for (double price = 1; price < 1e5; price *= 8) {
    const HullPlan& plan = hullPlan(price);
    answer.lowerBound =
        std::max(answer.lowerBound, plan.bound - price * limitBytes);
    if (plan.bytes <= limitBytes) {
      small = &plan;
      break;
    }
    fast = &plan;
  }
  answer.searches = static_cast<int64_t>(known_.size());
  if (!small) return answer;
  for (int64_t i = 0; i < kMostSecants; ++i) {
    double price = (small->cost - fast->cost) / (fast->bytes - small->bytes);
    if (!(price > fast->ticksPerByte) || !(price < small->ticksPerByte)) break;
    const HullPlan& plan = hullPlan(price);
    answer.lowerBound =
        std::max(answer.lowerBound, plan.bound - price * limitBytes);
    // No plan lies below the line through both: this is the best price.
    double line = fast->cost + price * fast->bytes;
    double found = plan.cost + price * plan.bytes;
    bool isNew = found < line * (1 - 1e-7 - enoughGap_);
    if (!isNew) break;
    (plan.bytes <= limitBytes ? small : fast) = &plan;
  }
  LimitedAnswer mixed = mix(*fast, *small, limitBytes);
  mixed.lowerBound = std::ceil(answer.lowerBound);
  mixed.fewestBytes = answer.fewestBytes;
  mixed.searches = static_cast<int64_t>(known_.size());
  return mixed;
}

LimitedAnswer MemoryLimit::mix(const HullPlan& fast, const HullPlan& small,
                               double limitBytes) {
  int64_t steps = priced_->numSteps();
  // Where either plan goes, and from the middle of one to that of the other.
  using Name = std::tuple<int64_t, Layout, Layout>;
  std::map<Name, std::vector<Cost>> crossings;
  std::map<Layout, std::vector<Cost>> heads, tails;
  for (int64_t p = 0; p < steps; ++p)
    for (const HullPlan* from : {&fast, &small}) {
      int64_t block = priced_->blockAt(p);
      crossings[{block, from->residuals[p], from->residuals[p + 1]}];
      if (p == steps / 2 || p == steps / 2 + 1)
        for (const HullPlan* to : {&fast, &small})
          crossings[{block, from->residuals[p], to->residuals[p + 1]}];
    }
  for (const HullPlan* plan : {&fast, &small}) {
    heads[plan->residuals.front()];
    tails[plan->residuals.back()];
  }
  double middle = (small.cost - fast.cost) / (fast.bytes - small.bytes);
  std::set<double> prices = {fast.ticksPerByte, small.ticksPerByte, middle,
                             middle * 0.8, middle * 1.25};
  for (double price : prices) {
    priced_->setBytePrice(price);
    for (auto& [name, costs] : crossings)
      if (auto cost = blockCost(*priced_, std::get<0>(name), std::get<1>(name),
                                std::get<2>(name)))
        costs.push_back(*cost);
    for (auto& [to, costs] : heads)
      if (auto cost = headCost(*priced_, to)) costs.push_back(*cost);
    for (auto& [from, costs] : tails)
      if (auto cost = tailCost(*priced_, from)) costs.push_back(*cost);
  }
  for (auto& [unused, costs] : crossings) prune(costs);

  std::map<Layout, std::vector<Cost>> labels = heads;
  for (auto& [unused, costs] : labels) prune(costs);
  for (int64_t p = 0; p < steps; ++p) {
    std::map<Layout, std::vector<Cost>> next;
    for (const auto& [name, costs] : crossings) {
      if (std::get<0>(name) != priced_->blockAt(p)) continue;
      auto from = labels.find(std::get<1>(name));
      if (from == labels.end()) continue;
      std::vector<Cost>& reached = next[std::get<2>(name)];
      for (const Cost& label : from->second)
        for (const Cost& cost : costs)
          if (label.bytes + cost.bytes <= limitBytes)
            reached.push_back(
                {label.ticks + cost.ticks, label.bytes + cost.bytes});
    }
    for (auto& [unused, costs] : next) prune(costs);
    labels = std::move(next);
  }
  Cost best;
  for (auto& [from, costs] : tails)
    for (const Cost& label : labels[from])
      for (const Cost& cost : costs)
        if (label.bytes + cost.bytes <= limitBytes)
          best = std::min(best,
                          {label.ticks + cost.ticks, label.bytes + cost.bytes});
  LimitedAnswer answer;
  answer.cost = best.ticks;
  answer.bytes = best.bytes;
  return answer;
}

std::vector<HullPlan> MemoryLimit::front(int64_t number) {
  std::vector<HullPlan> front = {hullPlan(0)};
  double fewest = fewestBytes();
  // Prices rise until little more than the fewest bytes are needed.
  for (double price = 0.5;
       static_cast<int64_t>(front.size()) < number && price < 1e5; price *= 3) {
    const HullPlan& plan = hullPlan(price);
    if (plan.bytes < front.back().bytes) front.push_back(plan);
    if (plan.bytes < 1.02 * fewest) break;
  }
  return front;
}

}  // namespace sbp::search
