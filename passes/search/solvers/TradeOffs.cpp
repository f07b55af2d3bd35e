#include "passes/search/solvers/TradeOffs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sbp::search {
namespace {

/// Part of the difference of two corners by which a new corner must lie below
/// the line between them.
constexpr double kRounding = 1e-6;

/// Factors of a cost, per limit of the resource: the prices that find both ends
/// of the hull. The first decides among assignments of equal cost only, the
/// second among those of equal use only, as far as precision allows.
constexpr double kTinyPrice = 1e-7, kHugePrice = 1e7;

class HullSearch {
 public:
  HullSearch(const Problem& problem, const Resource& resource,
             const EliminationLimits& limits)
      : problem_(problem), resources_({resource}), limits_(limits) {}

  std::optional<std::vector<TradeOff>> run(size_t most) {
    const double least = leastOfTables();
    if (least == kInfiniteCost) return std::nullopt;
    std::optional<TradeOff> cheapest =
        cheapestAt(kTinyPrice * (least > 0 ? least : 1));
    if (!cheapest || cheapest->cost == kInfiniteCost) return std::nullopt;
    if (most == 1) return std::vector<TradeOff>{std::move(*cheapest)};
    std::optional<TradeOff> smallest =
        cheapestAt(kHugePrice * (cheapest->cost > 0 ? cheapest->cost : 1));
    if (!smallest) return std::nullopt;
    hull_ = {std::move(*cheapest), std::move(*smallest)};
    if (!isBelow(hull_.back(), hull_.front())) hull_.pop_back();
    // Between each corner and the next one, a corner that is not added yet.
    std::vector<std::optional<Candidate>> between;
    if (hull_.size() > 1) between.push_back(candidateAfter(0));
    while (hull_.size() < most) {
      auto best = std::max_element(
          between.begin(), between.end(),
          [](const auto& a, const auto& b) { return gainOf(a) < gainOf(b); });
      if (best == between.end() || !*best) break;
      const size_t index = best - between.begin();
      hull_.insert(hull_.begin() + static_cast<int64_t>(index) + 1,
                   std::move((*best)->corner));
      *best = candidateAfter(index);
      between.insert(between.begin() + static_cast<int64_t>(index) + 1,
                     candidateAfter(index + 1));
    }
    return hull_;
  }

 private:
  struct Candidate {
    TradeOff corner;
    double gain = 0;  // the cost by which it lies below the line
  };

  static double gainOf(const std::optional<Candidate>& candidate) {
    return candidate ? candidate->gain : 0;
  }

  static bool isBelow(const TradeOff& a, const TradeOff& b) {
    return a.used < b.used * (1 - kRounding);
  }

  /// Returns the sum of the least costs of all tables.
  double leastOfTables() const {
    double sum = 0;
    for (const Table& table : problem_.tables())
      sum += *std::min_element(table.costs.begin(), table.costs.end());
    return sum;
  }

  /// Returns the cheapest assignment if the whole limit costs `price`.
  std::optional<TradeOff> cheapestAt(double price) const {
    const Problem priced =
        withPrices(problem_, resources_, {price}, Costs::Paid);
    auto tree =
        BucketTree::eliminate(priced, limits_, BucketTree::Keep::Answers);
    if (!tree) return std::nullopt;
    TradeOff found;
    found.assignment = tree->cheapest();
    found.cost = problem_.cost(found.assignment);
    found.used = resources_.front().usedBy(problem_, found.assignment);
    return found;
  }

  /// Returns the corner between the corners `index` and `index` + 1, if there
  /// is one.
  std::optional<Candidate> candidateAfter(size_t index) const {
    const TradeOff& cheap = hull_[index];
    const TradeOff& small = hull_[index + 1];
    const double saved = (cheap.used - small.used) / resources_.front().limit;
    const double price = (small.cost - cheap.cost) / saved;
    if (!(price > 0) || !std::isfinite(price)) return std::nullopt;
    std::optional<TradeOff> found = cheapestAt(price);
    if (!found) return std::nullopt;
    auto pays = [&](const TradeOff& corner) {
      return corner.cost + price * corner.used / resources_.front().limit;
    };
    const double gain = pays(cheap) - pays(*found);
    if (gain <= kRounding * (small.cost - cheap.cost)) return std::nullopt;
    return Candidate{std::move(*found), gain};
  }

  const Problem& problem_;
  const std::vector<Resource> resources_;
  const EliminationLimits& limits_;
  std::vector<TradeOff> hull_;
};

}  // namespace

std::optional<std::vector<TradeOff>> tradeOffs(
    const Problem& problem, const Resource& resource, size_t most,
    const EliminationLimits& limits) {
  return HullSearch(problem, resource, limits).run(most);
}

}  // namespace sbp::search
