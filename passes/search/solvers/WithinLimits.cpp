#include "passes/search/solvers/WithinLimits.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "passes/search/solvers/Blend.h"
#include "passes/search/solvers/Labels.h"
#include "passes/search/solvers/Mixture.h"

namespace sbp::search {
namespace {

/// Relative precision. Prices are those of a linear program in doubles, so
/// smaller differences may be rounding.
constexpr double kPrecision = 1e-9;
/// Further prices at which labels are bounded, as multiples of the best prices.
constexpr double kOtherPrices[] = {0, 0.5, 2, 4};
/// First and last slack of labels, as fractions of the bound that prices give.
/// If a better bound is known, the first slack is at least kPastBound times its
/// distance from the bound of prices.
constexpr double kFirstSlack = 1e-4, kLastSlack = 1e3;
constexpr double kPastBound = 1.25;
constexpr int kMaxPriceRounds = 100;
constexpr int kMaxRaises = 50;
/// Largest number of assignments in LeastCostsWithin::near.
constexpr size_t kMaxNear = 40;

class LimitedSearch {
 public:
  LimitedSearch(const Problem& problem, std::vector<Resource> resources,
                const BrokenLimit& broken, CostRange range,
                EliminationLimits limits, double maxLabels, double fewLabels)
      : problem_(problem),
        resources_(std::move(resources)),
        broken_(broken),
        range_(range),
        limits_(limits),
        maxLabels_(maxLabels),
        fewLabels_(fewLabels),
        isActive_(resources_.size(), false),
        hasTree_(resources_.size(), false) {}

  std::optional<LimitedSolution> run() {
    if (!findCheapest()) return std::nullopt;
    if (best_.lowerBound == kInfiniteCost) return best_;
    do {
      if (isClosed()) continue;
      if (limits_.run.isOver()) break;
      findPrices();
      if (best_.excess > 0) return best_;
      if (!best_.fits && raisesPrices_) raisePrices();
      if (best_.fits && !isClosed()) blendSeen();
      if (!isClosed()) closeGap();
    } while (best_.lowerBound < range_.ceiling && addBrokenLimit());
    best_.lowerBound = std::min(best_.lowerBound, highest());
    if (isProven()) best_.lowerBound = highest();
    return best_;
  }

  std::optional<LeastCostsWithin> leastCosts(
      const std::vector<Assignment>& known) {
    if (!findCheapest()) return std::nullopt;
    for (const Assignment& assignment : known) add(assignment);
    LeastCostsWithin least;
    if (best_.lowerBound < kInfiniteCost) findPrices();
    least.lowerBound = best_.lowerBound;
    least.excess = best_.excess;
    if (best_.excess > 0 || best_.lowerBound == kInfiniteCost) return least;
    prices_.resize(resources_.size(), 0);
    Problem problem = priced(prices_, Costs::Paid);
    auto tree =
        BucketTree::eliminate(problem, limits_, BucketTree::Keep::Tables);
    if (!tree) return std::nullopt;
    auto with = tree->passDown();
    if (!with) return std::nullopt;
    least.with = std::move(*with);
    least.cheapest = tree->cheapest();
    least.near = nearestBy(problem);
    for (std::vector<Cost>& costs : least.with)
      for (Cost& cost : costs)
        for (double price : prices_) cost -= price;
    return least;
  }

 private:
  /// Returns the seen assignments that cost least in `problem`.
  std::vector<Assignment> nearestBy(const Problem& problem) const {
    std::vector<std::pair<Cost, size_t>> costs;
    for (size_t i = 0; i < seen_.size(); ++i)
      costs.push_back({problem.cost(seen_[i]), i});
    std::sort(costs.begin(), costs.end());
    costs.resize(std::min(costs.size(), kMaxNear));
    std::vector<Assignment> nearest;
    for (auto [cost, i] : costs) nearest.push_back(seen_[i]);
    return nearest;
  }

  /// Takes step 1. Returns false if elimination would exceed the limits.
  bool findCheapest() {
    auto free =
        BucketTree::eliminate(problem_, limits_, BucketTree::Keep::Answers);
    if (!free) return false;
    best_.lowerBound = std::max(free->leastCost(), range_.least);
    add(free->cheapest());
    return true;
  }

  /// Returns an upper bound of the cost of an answer below the ceiling.
  Cost highest() const {
    return best_.fits ? std::min(best_.cost, range_.ceiling) : range_.ceiling;
  }

  /// Whether the answer is proven the best, up to the fraction `gap`.
  bool isProven(double gap = kPrecision) const {
    Cost most = highest();
    return most < kInfiniteCost &&
           most <= best_.lowerBound + gap * std::abs(most);
  }
  /// Whether the search may end.
  bool isClosed() const {
    return isProven(std::max(kPrecision, limits_.run.gap()));
  }

  /// Adds a limit that the answer breaks. Returns whether there is one.
  bool addBrokenLimit() {
    std::optional<Resource> limit;
    if (broken_) limit = broken_(best_.assignment);
    if (!limit) return false;
    resources_.push_back(std::move(*limit));
    isActive_.push_back(true);
    hasTree_.push_back(false);
    if (!prices_.empty()) prices_.push_back(0);
    // Bounds hold with more limits too, but the answer must be chosen anew.
    best_.fits = false;
    mostUsed_ = kInfiniteCost;
    ingredients_.clear();
    for (const Assignment& assignment : seen_) consider(assignment);
    return true;
  }

  /// Adds `assignment` to the ingredients of mixtures, and makes it the answer
  /// if it is better. Returns whether it is new.
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

  Problem priced(const std::vector<double>& prices, Costs costs) const {
    return withPrices(problem_, resources_, prices, costs);
  }

  /// Takes step 2: adds ingredients while they improve the mixture.
  void findPrices() {
    for (int round = 0; round < kMaxPriceRounds; ++round) {
      Mixture mixture = mix(ingredients_);
      bool fits = mixture.excess == 0;
      Problem problem =
          priced(mixture.prices, fits ? Costs::Paid : Costs::LeftOut);
      auto tree =
          BucketTree::eliminate(problem, limits_, BucketTree::Keep::Answers);
      if (!tree) return;  // the run is over
      double bound = tree->leastCost();
      for (double price : mixture.prices) bound -= price;
      if (fits && bound > priceBound_) {
        priceBound_ = bound;
        best_.lowerBound = std::max(best_.lowerBound, bound);
        prices_ = mixture.prices;
      }
      // Below the precision the excess may be rounding.
      if (!fits && bound > kPrecision)
        best_.excess = std::max(best_.excess, bound);
      double value = fits ? mixture.cost : mixture.excess;
      if (value - bound <= kPrecision * std::abs(value)) return;
      if (!add(tree->cheapest())) return;
    }
  }

  /// Looks for plans that fit near the best mixture, by raising the prices of
  /// resources whose limits are exceeded.
  void raisePrices() {
    if (prices_.empty()) return;
    std::vector<double> prices = prices_;
    for (int round = 0; round < kMaxRaises; ++round) {
      Problem problem = priced(prices, Costs::Paid);
      auto tree =
          BucketTree::eliminate(problem, limits_, BucketTree::Keep::Answers);
      if (!tree) return;
      Assignment assignment = tree->cheapest();
      bool fits = true;
      for (size_t r = 0; r < resources_.size(); ++r) {
        double used = resources_[r].usedBy(problem_, assignment);
        if (used <= resources_[r].limit) continue;
        fits = false;
        // If a resource has no price, begin with a small one.
        prices[r] = std::max(1.3 * prices[r], 1e-3 * best_.lowerBound);
      }
      add(std::move(assignment));
      if (fits) return;
    }
    // It would fail with more limits too.
    raisesPrices_ = false;
  }

  /// Takes parts of other plans into the best one, while this makes it better.
  void blendSeen() {
    // Assignments that this loop adds are blends already.
    const size_t numSeen = seen_.size();
    for (size_t i = 0; i < numSeen; ++i)
      add(blend(problem_, resources_, best_.assignment, seen_[i]));
  }

  /// Takes step 3. Limits without a price do not bind the mixture; they are
  /// considered only if a plan breaks them.
  void closeGap() {
    if (prices_.empty() || maxLabels_ == 0) return;
    for (size_t r = 0; r < resources_.size(); ++r)
      if (prices_[r] > 0) isActive_[r] = true;
    std::optional<Tree> tree = treeAt(prices_, Costs::Paid);
    if (!tree) return;
    if (trees_.empty())
      trees_.push_back(std::move(*tree));
    else
      trees_.front() = std::move(*tree);
    // If the bound is 0, the slack is a fraction of another cost.
    double size = std::abs(priceBound_);
    if (size == 0) size = std::isfinite(highest()) ? highest() : 1;
    double slack = std::max(kFirstSlack * size,
                            kPastBound * (best_.lowerBound - priceBound_));
    for (;; slack *= 2) {
      double reach = priceBound_ + slack;
      bool isLast = reach >= highest();
      if (isLast) reach = highest();
      LabelSearch search;
      do {
        search = searchUpTo(reach);
        if (!search.isComplete) {
          // With more limits it would not suffice either.
          maxLabels_ = 0;
          return;
        }
      } while (search.cheapest && activateBroken(*search.cheapest));
      if (search.cheapest) {
        add(*search.cheapest);
        // A plan that uses less than the limits is found even if it costs more
        // than the reach.
        if (best_.cost <= reach * (1 + kPrecision)) {
          best_.lowerBound = best_.cost;
          return;
        }
      }
      // No plan within the slack fits.
      best_.lowerBound = std::max(best_.lowerBound, reach);
      if (isLast || slack > kLastSlack * size) return;
    }
  }

  /// The elimination of the problem at some prices of the limits.
  struct Tree {
    std::unique_ptr<Problem> problem;
    std::optional<BucketTree> tree;
    double paid = 0;  // cost of using all limits whole
    Costs costs = Costs::Paid;
  };

  /// Returns nullopt if the run is over.
  std::optional<Tree> treeAt(const std::vector<double>& prices,
                             Costs costs) const {
    Tree made;
    made.problem = std::make_unique<Problem>(priced(prices, costs));
    made.tree =
        BucketTree::eliminate(*made.problem, limits_, BucketTree::Keep::Tables);
    if (!made.tree || !made.tree->passDown()) return std::nullopt;
    for (double price : prices) made.paid += price;
    made.costs = costs;
    return made;
  }

  void addTree(std::optional<Tree> tree) {
    if (tree) trees_.push_back(std::move(*tree));
  }

  /// Adds trees at other prices: of costs alone, at multiples of the best
  /// prices, and for each limit of its uses alone.
  void addMoreTrees() {
    if (trees_.size() == 1)
      for (double factor : kOtherPrices) {
        std::vector<double> prices = prices_;
        for (double& price : prices) price *= factor;
        addTree(treeAt(prices, Costs::Paid));
      }
    for (size_t r = 0; r < resources_.size(); ++r) {
      if (!isActive_[r] || hasTree_[r]) continue;
      hasTree_[r] = true;
      std::vector<double> prices(resources_.size(), 0);
      prices[r] = 1;
      addTree(treeAt(prices, Costs::LeftOut));
    }
  }

  /// Looks for plans that cost no more than `reach`. Uses more trees if there
  /// are too many labels with the first one.
  LabelSearch searchUpTo(double reach) {
    std::vector<const Resource*> active;
    for (size_t r = 0; r < resources_.size(); ++r)
      if (isActive_[r]) active.push_back(&resources_[r]);
    // In the other trees the limit is the best plan's cost, not the reach: a
    // plan above the reach proves nothing, but may still be better than the
    // best plan.
    Cost wanted = highest();
    auto search = [&](double maxLabels) {
      std::vector<PricedTree> priced;
      for (const Tree& tree : trees_) {
        double cost = &tree == &trees_.front() ? reach : wanted;
        double most = (tree.costs == Costs::Paid ? cost : 0) + tree.paid;
        priced.push_back({&*tree.tree, most + kPrecision * std::abs(most)});
      }
      return searchLabels(problem_, active, priced, maxLabels, limits_.run);
    };
    if (trees_.size() == 1) {
      LabelSearch few = search(std::min(fewLabels_, maxLabels_));
      if (few.isComplete || maxLabels_ <= fewLabels_) return few;
    }
    addMoreTrees();
    return search(maxLabels_);
  }

  /// Activates the limits that `assignment` breaks. Returns whether there are
  /// any.
  bool activateBroken(const Assignment& assignment) {
    bool isAny = false;
    for (size_t r = 0; r < resources_.size(); ++r)
      if (!isActive_[r] &&
          resources_[r].usedBy(problem_, assignment) > resources_[r].limit)
        isActive_[r] = isAny = true;
    return isAny;
  }

  const Problem& problem_;
  std::vector<Resource> resources_;
  const BrokenLimit& broken_;
  CostRange range_;
  EliminationLimits limits_;
  double maxLabels_, fewLabels_;
  bool raisesPrices_ = true;
  std::vector<Assignment> seen_;
  // costs and uses of the allowed assignments of seen_
  std::vector<Ingredient> ingredients_;
  std::vector<double> prices_;  // the prices at which the bound is highest
  double priceBound_ = -kInfiniteCost;  // the bound at prices_
  /// Per resource: whether labels consider it, and whether there is a tree of
  /// its uses alone.
  std::vector<bool> isActive_, hasTree_;
  /// Eliminations; the first is at the best prices.
  std::vector<Tree> trees_;
  LimitedSolution best_;
  double mostUsed_ = kInfiniteCost;  // largest use of a limit by best_
};

}  // namespace

std::optional<LimitedSolution> solveWithinLimits(
    const Problem& problem, std::vector<Resource> resources,
    const BrokenLimit& broken, CostRange range, EliminationLimits limits,
    double maxLabels, double fewLabels) {
  return LimitedSearch(problem, std::move(resources), broken, range, limits,
                       maxLabels, fewLabels)
      .run();
}

std::optional<LeastCostsWithin> leastCostsWithin(
    const Problem& problem, std::vector<Resource> resources,
    const std::vector<Assignment>& known, EliminationLimits limits) {
  return LimitedSearch(problem, std::move(resources), /*broken=*/{},
                       CostRange(), limits, /*maxLabels=*/0, /*fewLabels=*/0)
      .leastCosts(known);
}

}  // namespace sbp::search
