#include "passes/search/program/LeastMemory.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "passes/search/program/Memory.h"
#include "passes/search/program/Pricing.h"
#include "passes/search/solvers/BucketTree.h"
#include "passes/search/solvers/Mixture.h"

namespace sbp::search {
namespace {

/// Moments and rounds after which it is not worth to go on.
constexpr size_t kMaxMoments = 50;
constexpr int kMaxRounds = 100;
/// To look at further moments is to price anew, so a few are awaited.
constexpr size_t kMomentsAtOnce = 3;
/// In what part of the limit bytes are counted, so that every plan takes many.
constexpr double kUnit = 1e-3;

class Game {
 public:
  Game(const DecisionGraph& graph, double memoryBytes, Movements& movements)
      : graph_(graph),
        memoryBytes_(memoryBytes),
        movements_(movements),
        unitBytes_(kUnit * ownLimit(graph, memoryBytes)) {}

  Fit run() {
    if (numPrices(graph_) > kMaxPrices) return Fit::TooLarge;
    // Any plan has a worst moment to begin with.
    if (look(Assignment(graph_.decisions.size(), 0))) return Fit::Yes;
    size_t numPlayed = 0;
    while (numPlayed < moments_.size() && moments_.size() <= kMaxMoments) {
      numPlayed = moments_.size();
      Fit fit = playWithMoments();
      if (fit != Fit::Close) return fit;
    }
    return Fit::Close;
  }

 private:
  /// Whether the plan fits. Remembers its worst moment.
  bool look(Assignment assignment) {
    assignment.resize(graph_.decisions.size());
    PeakMemory peak = peakMemory(graph_, assignment, movements_);
    if (peak.bytes <= memoryBytes_) return true;
    if (!llvm::is_contained(moments_, peak.moment))
      moments_.push_back(std::move(peak.moment));
    return false;
  }

  PricedProblem priced(WideFlows wideFlows) {
    return problemOf(graph_, movements_, wideFlows, moments_,
                     graph_.otherBytes() + unitBytes_);
  }

  /// What plans take at the moments with these weights, as costs.
  static Problem weighted(const PricedProblem& priced,
                          const std::vector<double>& weights) {
    Problem problem;
    for (const Variable& variable : priced.problem.variables())
      problem.addVariable(variable.name, variable.numStates);
    for (auto [index, table] : llvm::enumerate(priced.problem.tables())) {
      std::vector<Cost> costs;
      for (Cost cost : table.costs)
        costs.push_back(std::isfinite(cost) ? 0 : kInfiniteCost);
      for (auto [resource, weight] : llvm::zip(priced.memory, weights))
        if (weight > 0 && !resource.uses[index].empty())
          for (auto [cost, used] : llvm::zip(costs, resource.uses[index]))
            cost += weight * used / resource.limit;
      problem.addCosts(table.variables, std::move(costs));
    }
    problem.roundToTicks();
    return problem;
  }

  /// Plays until a plan fits, none can, or there are new moments to look at.
  Fit playWithMoments() {
    PricedProblem above = priced(WideFlows::Above);
    std::optional<PricedProblem> below;
    if (!above.isExact) below = priced(WideFlows::Below);
    // What a plan may take at any moment, in units.
    double limit = 1 / kUnit;
    std::vector<Ingredient> ingredients;
    std::vector<double> weights(moments_.size(), 1.0 / moments_.size());
    for (int round = 0; round < kMaxRounds; ++round) {
      std::optional<double> bound = play(above, weights, ingredients);
      if (!bound) return Fit::TooLarge;
      if (*bound == kInfiniteCost) return Fit::No;  // pins exclude all
      if (hasFound_) return Fit::Yes;
      if (below) bound = boundOf(*below, weights);
      if (!bound) return Fit::TooLarge;
      if (*bound > limit * (1 + 1e-9)) return Fit::No;
      if (moments_.size() >= above.memory.size() + kMomentsAtOnce)
        return Fit::Close;
      Mixture mixture = mix(ingredients);
      double value = 1 + mixture.excess;
      // A mixture that fits is above every bound: there is nothing to prove at
      // these moments.
      if (value <= std::max(limit, *bound * (1 + 1e-9))) return Fit::Close;
      weights = std::move(mixture.prices);
    }
    return Fit::Close;
  }

  /// Finds the plan that takes least with these weights, adds what it takes to
  /// `ingredients`, and returns the bound; nothing when that would take too
  /// much.
  std::optional<double> play(const PricedProblem& priced,
                             const std::vector<double>& weights,
                             std::vector<Ingredient>& ingredients) {
    Problem problem = weighted(priced, weights);
    auto tree = BucketTree::eliminate(problem, EliminationLimits(),
                                      BucketTree::Keep::Answers);
    if (!tree) return std::nullopt;
    if (tree->leastCost() == kInfiniteCost) return kInfiniteCost;
    Assignment assignment = tree->cheapest();
    Ingredient& ingredient = ingredients.emplace_back();
    for (const Resource& resource : priced.memory)
      ingredient.uses.push_back(resource.usedBy(problem, assignment) /
                                resource.limit);
    hasFound_ = look(std::move(assignment));
    return tree->leastCost();
  }

  static std::optional<double> boundOf(const PricedProblem& priced,
                                       const std::vector<double>& weights) {
    Problem problem = weighted(priced, weights);
    auto tree = BucketTree::eliminate(problem, EliminationLimits(),
                                      BucketTree::Keep::Answers);
    if (!tree) return std::nullopt;
    return tree->leastCost();
  }

  const DecisionGraph& graph_;
  double memoryBytes_;
  Movements& movements_;
  double unitBytes_;
  std::vector<Moment> moments_;
  bool hasFound_ = false;
};

}  // namespace

Fit fitsInto(const DecisionGraph& graph, double memoryBytes,
             Movements& movements) {
  return Game(graph, memoryBytes, movements).run();
}

}  // namespace sbp::search
