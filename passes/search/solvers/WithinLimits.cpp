#include "passes/search/solvers/WithinLimits.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "passes/search/solvers/Labels.h"
#include "passes/search/solvers/Mixture.h"

namespace sbp::search {
namespace {

/// Prices are those of a small linear program in doubles: what differs by less
/// than this part is not told apart.
constexpr double kPrecision = 1e-9;
/// Other prices than the best, as parts of these.
constexpr double kOtherPrices[] = {0, 0.5, 2, 4};
constexpr int kMaxIngredients = 100;
constexpr int kMaxRaises = 50;

class LimitedSearch {
 public:
  LimitedSearch(const Problem& problem, const std::vector<Resource>& resources,
                std::vector<Assignment>& seen, EliminationLimits limits,
                double maxLabels, double fewLabels)
      : problem_(problem),
        resources_(resources),
        seen_(seen),
        limits_(limits),
        maxLabels_(maxLabels),
        fewLabels_(fewLabels) {}

  std::optional<LimitedSolution> run() {
    if (!findCheapest()) return std::nullopt;
    if (best_.lowerBound == kInfiniteCost || isClosed()) return best_;
    findPrices();
    if (best_.excess > 0) return best_;
    if (!best_.fits) raisePrices();
    if (!isClosed()) closeGap();
    if (isClosed()) best_.lowerBound = best_.cost;
    return best_;
  }

  std::optional<LeastCostsWithin> leastCosts() {
    if (!findCheapest()) return std::nullopt;
    LeastCostsWithin least;
    if (best_.lowerBound < kInfiniteCost) findPrices();
    least.lowerBound = best_.lowerBound;
    least.excess = best_.excess;
    if (best_.excess > 0 || best_.lowerBound == kInfiniteCost) return least;
    prices_.resize(resources_.size(), 0);
    Problem problem = priced(prices_, /*withCosts=*/true);
    auto tree =
        BucketTree::eliminate(problem, limits_, BucketTree::Keep::Tables);
    least.with = tree->passDown();
    least.cheapest = tree->cheapest();
    for (std::vector<Cost>& costs : least.with)
      for (Cost& cost : costs)
        for (double price : prices_) cost -= price;
    return least;
  }

 private:
  /// Step 1. Whether elimination did not take too much.
  bool findCheapest() {
    auto free =
        BucketTree::eliminate(problem_, limits_, BucketTree::Keep::Answers);
    if (!free) return false;
    best_.lowerBound = free->leastCost();
    for (const Assignment& assignment : seen_) consider(assignment);
    add(free->cheapest());
    return true;
  }

  bool isClosed() const {
    return best_.fits &&
           best_.cost <= best_.lowerBound + kPrecision * std::abs(best_.cost);
  }

  /// Remembers an assignment for mixtures, and as an answer if it is a better
  /// one; whether it is new.
  bool add(Assignment assignment) {
    if (std::find(seen_.begin(), seen_.end(), assignment) != seen_.end())
      return false;
    consider(assignment);
    seen_.push_back(std::move(assignment));
    return true;
  }

  void consider(const Assignment& assignment) {
    Ingredient ingredient{problem_.cost(assignment), {}};
    double most = 0;
    for (const Resource& resource : resources_) {
      ingredient.uses.push_back(resource.usedBy(problem_, assignment) /
                                resource.limit);
      most = std::max(most, ingredient.uses.back());
    }
    bool isBetter = most <= 1 ? !best_.fits || ingredient.cost < best_.cost
                              : !best_.fits && most < mostUsed_;
    if (isBetter) {
      best_.assignment = assignment;
      best_.cost = ingredient.cost;
      best_.fits = most <= 1;
      mostUsed_ = most;
    }
    if (ingredient.cost < kInfiniteCost)
      ingredients_.push_back(std::move(ingredient));
  }

  /// The problem with `prices` per limit for the uses, and costs or not.
  Problem priced(const std::vector<double>& prices, bool withCosts) const {
    Problem priced;
    for (const Variable& variable : problem_.variables())
      priced.addVariable(variable.name, variable.numStates);
    for (size_t i = 0; i < problem_.tables().size(); ++i) {
      Table table = problem_.tables()[i];
      if (!withCosts)
        for (Cost& cost : table.costs)
          if (std::isfinite(cost)) cost = 0;
      for (size_t r = 0; r < resources_.size(); ++r) {
        const std::vector<double>& uses = resources_[r].uses[i];
        double price = prices[r] / resources_[r].limit;
        if (uses.empty() || price == 0) continue;
        for (size_t entry = 0; entry < uses.size(); ++entry)
          table.costs[entry] += price * uses[entry];
      }
      priced.addCosts(std::move(table.variables), std::move(table.costs));
    }
    priced.roundToTicks();
    return priced;
  }

  /// Step 2: ingredients are added while they improve the mixture.
  void findPrices() {
    while (ingredients_.size() < kMaxIngredients) {
      Mixture mixture = mix(ingredients_);
      bool fits = mixture.excess == 0;
      Problem problem = priced(mixture.prices, fits);
      auto tree =
          BucketTree::eliminate(problem, limits_, BucketTree::Keep::Answers);
      double bound = tree->leastCost();
      for (double price : mixture.prices) bound -= price;
      if (fits && (prices_.empty() || bound > best_.lowerBound)) {
        best_.lowerBound = std::max(best_.lowerBound, bound);
        prices_ = mixture.prices;
      }
      // Below the precision it may be rounding.
      if (!fits && bound > kPrecision)
        best_.excess = std::max(best_.excess, bound);
      double value = fits ? mixture.cost : mixture.excess;
      if (value - bound <= kPrecision * std::abs(value)) return;
      if (!add(tree->cheapest())) return;
    }
  }

  /// Looks for plans that fit near the best mixture: at higher prices for what
  /// is used too much.
  void raisePrices() {
    if (prices_.empty()) return;
    std::vector<double> prices = prices_;
    for (int round = 0; round < kMaxRaises; ++round) {
      Problem problem = priced(prices, /*withCosts=*/true);
      auto tree =
          BucketTree::eliminate(problem, limits_, BucketTree::Keep::Answers);
      Assignment assignment = tree->cheapest();
      bool fits = true;
      for (size_t r = 0; r < resources_.size(); ++r) {
        double used = resources_[r].usedBy(problem_, assignment);
        if (used <= resources_[r].limit) continue;
        fits = false;
        // Something to begin with where a resource had no price.
        prices[r] = std::max(1.3 * prices[r], 1e-3 * best_.lowerBound);
      }
      add(std::move(assignment));
      if (fits) return;
    }
  }

  /// Step 3. Limits that have no price do not bind the mixture, and are looked
  /// at only if a plan breaks them.
  void closeGap() {
    if (prices_.empty()) return;
    isActive_.clear();
    for (double price : prices_) isActive_.push_back(price > 0);
    trees_.clear();
    addTree(prices_, /*withCosts=*/true);
    double bound = best_.lowerBound;
    for (double slack = 1e-4 * std::abs(bound);; slack *= 2) {
      double reach = bound + slack;
      bool isLast = best_.fits && reach >= best_.cost;
      if (isLast) reach = best_.cost;
      LabelSearch search;
      do {
        search = searchUpTo(reach);
        if (!search.isComplete) return;
      } while (search.cheapest && activateBroken(*search.cheapest));
      if (search.cheapest) {
        consider(*search.cheapest);
        // One that costs more and uses less than the limits is in reach too.
        if (best_.cost <= reach * (1 + kPrecision)) {
          best_.lowerBound = best_.cost;
          return;
        }
      }
      // What was not found within the slack is not there.
      best_.lowerBound = std::max(best_.lowerBound, reach);
      if (isLast || slack > 1e3 * std::abs(bound)) return;
    }
  }

  /// The problem at some prices of the limits, eliminated.
  struct Tree {
    Problem problem;
    std::optional<BucketTree> tree;
    double paid = 0;  // for all of the limits
    bool hasCosts = false;
  };

  void addTree(const std::vector<double>& prices, bool withCosts) {
    auto added = std::make_unique<Tree>();
    added->problem = priced(prices, withCosts);
    added->tree = BucketTree::eliminate(added->problem, limits_,
                                        BucketTree::Keep::Tables);
    added->tree->passDown();
    for (double price : prices) added->paid += price;
    added->hasCosts = withCosts;
    trees_.push_back(std::move(added));
  }

  /// Trees at other prices: of costs alone, of uses alone, and between.
  void addMoreTrees() {
    for (double factor : kOtherPrices) {
      std::vector<double> prices = prices_;
      for (double& price : prices) price *= factor;
      addTree(prices, /*withCosts=*/true);
    }
    for (size_t r = 0; r < resources_.size(); ++r) {
      if (!isActive_[r]) continue;
      std::vector<double> prices(resources_.size(), 0);
      prices[r] = 1;
      addTree(prices, /*withCosts=*/false);
    }
  }

  /// All plans that cost no more; by more trees where one leaves too many
  /// labels.
  LabelSearch searchUpTo(double reach) {
    std::vector<Resource> active;
    for (size_t r = 0; r < resources_.size(); ++r)
      if (isActive_[r]) active.push_back(resources_[r]);
    // At other prices a plan that is better than the best one may cost more
    // than the reach: it proves nothing, but is wanted.
    Cost wanted = best_.fits ? best_.cost : kInfiniteCost;
    auto search = [&](double maxLabels) {
      std::vector<PricedTree> priced;
      for (const auto& tree : trees_) {
        double cost = &tree == &trees_.front() ? reach : wanted;
        double most = (tree->hasCosts ? cost : 0) + tree->paid;
        priced.push_back({&*tree->tree, most + kPrecision * std::abs(most)});
      }
      return searchLabels(problem_, active, priced, maxLabels);
    };
    if (trees_.size() == 1) {
      LabelSearch few = search(std::min(fewLabels_, maxLabels_));
      if (few.isComplete || maxLabels_ <= fewLabels_) return few;
      addMoreTrees();
    }
    return search(maxLabels_);
  }

  /// Activates the limits that `assignment` breaks; whether there are any.
  bool activateBroken(const Assignment& assignment) {
    bool isAny = false;
    for (size_t r = 0; r < resources_.size(); ++r)
      if (!isActive_[r] &&
          resources_[r].usedBy(problem_, assignment) > resources_[r].limit)
        isActive_[r] = isAny = true;
    return isAny;
  }

  const Problem& problem_;
  const std::vector<Resource>& resources_;
  std::vector<Assignment>& seen_;
  EliminationLimits limits_;
  double maxLabels_, fewLabels_;
  std::vector<Ingredient> ingredients_;
  std::vector<double> prices_;  // with which the bound is highest
  std::vector<bool> isActive_;  // per resource, whether labels know it
  std::vector<std::unique_ptr<Tree>> trees_;
  LimitedSolution best_;
  double mostUsed_ = kInfiniteCost;  // by best_, of a limit
};

}  // namespace

std::optional<LimitedSolution> solveWithinLimits(
    const Problem& problem, const std::vector<Resource>& resources,
    std::vector<Assignment>& seen, EliminationLimits limits, double maxLabels,
    double fewLabels) {
  return LimitedSearch(problem, resources, seen, limits, maxLabels, fewLabels)
      .run();
}

std::optional<LeastCostsWithin> leastCostsWithin(
    const Problem& problem, const std::vector<Resource>& resources,
    std::vector<Assignment>& seen, EliminationLimits limits) {
  return LimitedSearch(problem, resources, seen, limits, /*maxLabels=*/0,
                       /*fewLabels=*/0)
      .leastCosts();
}

}  // namespace sbp::search
