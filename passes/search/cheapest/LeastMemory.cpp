#include "passes/search/cheapest/LeastMemory.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "passes/search/cheapest/Tables.h"
#include "passes/search/decisions/Counting.h"
#include "passes/search/decisions/Memory.h"
#include "passes/search/decisions/Pricing.h"
#include "passes/search/decisions/Restriction.h"
#include "passes/search/problem/Resources.h"
#include "passes/search/solvers/BucketTree.h"
#include "passes/search/solvers/Mixture.h"
#include "passes/search/symmetry/TiedPlans.h"

namespace sbp::search {
namespace {

/// Most moments, and most rounds with the same moments.
constexpr size_t kMaxMoments = 50;
constexpr int kMaxRounds = 100;
/// Number of times that new moments may bring no progress.
constexpr int kMaxInVain = 2;
/// New moments require that the problem is priced anew, so several are
/// collected.
constexpr size_t kMomentsAtOnce = 3;
/// Limits on numbers, which are prices and bytes at all moments. At most
/// kMaxKept are in memory: a few gigabytes. At most kMaxRead are read in all
/// eliminations together, which takes some thirty seconds; or, for a bound, at
/// most kMaxReadForBound, some ten seconds.
constexpr double kMaxKept = 2e8, kMaxRead = 6e8, kMaxReadForBound = 2e8;
/// Number of raises of weights, and the first weight of a moment that had none.
constexpr int kRaises = 10;
constexpr double kLeastWeight = 3e-3;
/// Unit of bytes, as a fraction of the bytes of some plan, so that each plan
/// takes many units.
constexpr double kUnit = 1e-3;

class Game {
 public:
  /// Searches until it is known whether a plan takes at most `enough` bytes; if
  /// `enough` is nullopt, until the least bytes are known.
  Game(const DecisionGraph& graph, std::optional<double> enough,
       Counting counting, Movements& movements, const SearchRun& run)
      : graph_(graph),
        enough_(enough),
        counting_(counting),
        maxRead_(counting == Counting::Ample ? kMaxRead : kMaxReadForBound),
        movements_(movements),
        run_(run),
        numEntries_(numEntries(graph)) {
    // The worst moment of any plan is the first one.
    double bytes = look(Assignment(graph.decisions.size(), 0));
    unitBytes_ = kUnit * ownLimit(graph, bytes);
  }

  Fit run() {
    if (numPrices(graph_) > kMaxPrices || numKept() > kMaxKept)
      return Fit::TooLarge;
    if (isFound()) return Fit::Yes;
    int numInVain = 0;
    while (numInVain < kMaxInVain && moments_.size() <= kMaxMoments &&
           numKept() <= kMaxKept && numRead_ <= maxRead_ && !run_.isOver()) {
      const size_t numPlayed = moments_.size();
      const double bytes = least_.bytes, bound = least_.bound;
      Fit fit = playWithMoments();
      if (fit != Fit::Close || moments_.size() == numPlayed) return fit;
      bool isNew = least_.bytes < bytes || least_.bound > bound;
      numInVain = isNew ? 0 : numInVain + 1;
    }
    return Fit::Close;
  }

  const LeastMemory& least() const { return least_; }

  /// Adds the worst moment of the plan, and keeps the plan if no known one
  /// takes less. Returns the plan's bytes, as counted in this game.
  double look(Assignment assignment) {
    assignment.resize(graph_.decisions.size());
    PeakMemory peak = peakMemory(graph_, assignment, movements_, counting_);
    double ample = peakMemory(graph_, assignment, movements_).bytes;
    if (ample < least_.bytes) {
      least_.assignment = std::move(assignment);
      least_.bytes = ample;
    }
    if (!llvm::is_contained(moments_, peak.moment))
      moments_.push_back(std::move(peak.moment));
    return peak.bytes;
  }

 private:
  /// Returns how many numbers a priced problem with all moments has.
  double numKept() const {
    return numEntries_ * static_cast<double>(1 + moments_.size());
  }

  bool isFound() const { return enough_ && least_.bytes <= *enough_; }

  /// Looks for plans that take less: each time raises the weight of the worst
  /// moment of the last plan. The weights of the best mixture give only its
  /// extreme plans.
  void raise(const PricedProblem& priced, std::vector<double> weights) {
    for (int round = 0; round < kRaises && numRead_ <= maxRead_; ++round) {
      std::vector<Ingredient> played;
      play(priced, weights, played);
      if (played.empty()) return;
      const std::vector<double>& taken = played.front().uses;
      size_t worst =
          std::max_element(taken.begin(), taken.end()) - taken.begin();
      // If a moment has no weight, begin with a small one.
      weights[worst] = std::max(1.3 * weights[worst], kLeastWeight);
    }
  }

  /// Adds further moments at which the last plans take much: the best mixture
  /// may take most at one of these.
  void lookAround() {
    size_t most = moments_.size() + kMomentsAtOnce;
    for (const Assignment& played : llvm::reverse(played_)) {
      Assignment assignment(played.begin(),
                            played.begin() + graph_.decisions.size());
      for (Moment& moment :
           highMoments(graph_, assignment, movements_, counting_)) {
        if (moments_.size() >= most) return;
        if (!llvm::is_contained(moments_, moment))
          moments_.push_back(std::move(moment));
      }
    }
  }

  std::optional<PricedProblem> priced(WideFlows wideFlows) {
    return problemOf(graph_, movements_, run_, wideFlows, moments_,
                     graph_.otherBytes() + unitBytes_, kMaxTableEntries,
                     /*shares=*/nullptr, counting_);
  }

  /// Plays until a plan fits, no plan can fit, or there are new moments.
  Fit playWithMoments() {
    std::optional<PricedProblem> made = priced(WideFlows::Above);
    if (!made) return Fit::Close;
    const PricedProblem& above = *made;
    std::optional<PricedProblem> below;
    if (!above.isExact) {
      below = priced(WideFlows::Below);
      if (!below) return Fit::Close;
    }
    // Limit of a plan at any moment, in units.
    double limit =
        enough_ ? ownLimit(graph_, *enough_) / unitBytes_ : kInfiniteCost;
    std::vector<Ingredient> ingredients;
    for (const Assignment& assignment : played_)
      ingredients.push_back(takenBy(assignment, above));
    for (int round = 0; round < kMaxRounds && numRead_ <= maxRead_; ++round) {
      std::vector<double> weights(moments_.size(), 1.0 / moments_.size());
      double value = kInfiniteCost;
      if (!ingredients.empty()) {
        Mixture mixture = mix(ingredients);
        // Normalised: weights must add up to 1 whatever rounding did.
        double sum = 0;
        for (double price : mixture.prices) sum += price;
        if (sum > 0)
          for (auto [weight, price] : llvm::zip(weights, mixture.prices))
            weight = price / sum;
        value = 1 + mixture.excess;
      }
      // If a mixture fits, all bounds at these moments are below the limit:
      // nothing can be proven with them.
      if (enough_ && value <= limit) return Fit::Close;
      std::optional<double> bound = play(above, weights, ingredients);
      if (!bound) return tooLarge();
      if (*bound == kInfiniteCost) return Fit::No;  // pins exclude all
      if (isFound()) return Fit::Yes;
      bool isBest = value <= *bound * (1 + 1e-9);
      if (below) {
        auto leastBelow = leastOf(*below, weights);
        if (!leastBelow) return tooLarge();
        bound = leastBelow->units;
      }
      least_.bound =
          std::max(least_.bound, graph_.otherBytes() + *bound * unitBytes_);
      if (*bound > limit * (1 + 1e-9)) return Fit::No;
      if (isBest && !enough_) raise(above, std::move(weights));
      if (isBest) lookAround();
      if (isBest || moments_.size() >= above.memory.size() + kMomentsAtOnce)
        return Fit::Close;
    }
    return Fit::Close;
  }

  /// Returns the reason why an elimination was not made.
  Fit tooLarge() const { return run_.isOver() ? Fit::Close : Fit::TooLarge; }

  /// Returns the use of the plan at each moment, in units.
  static Ingredient takenBy(const Assignment& assignment,
                            const PricedProblem& priced) {
    Ingredient taken;
    for (const Resource& resource : priced.memory)
      taken.uses.push_back(resource.usedBy(priced.problem, assignment) /
                           resource.limit);
    return taken;
  }

  /// Finds the plan with the least weighted use, adds its uses to
  /// `ingredients`, and returns the bound; nullopt if this would take too much.
  std::optional<double> play(const PricedProblem& priced,
                             const std::vector<double>& weights,
                             std::vector<Ingredient>& ingredients) {
    auto least = leastOf(priced, weights);
    if (!least) return std::nullopt;
    if (least->units == kInfiniteCost) return kInfiniteCost;
    played_.push_back(std::move(least->assignment));
    ingredients.push_back(takenBy(played_.back(), priced));
    look(played_.back());
    return least->units;
  }

  /// The plan with the least use on average, by weights of the moments.
  struct Least {
    double units = 0;       // infinite if pins exclude all
    Assignment assignment;  // empty if `units` is infinite
  };

  std::optional<Least> leastOf(const PricedProblem& priced,
                               const std::vector<double>& weights) {
    numRead_ += numKept();
    Problem problem =
        withPrices(priced.problem, priced.memory, weights, Costs::LeftOut);
    EliminationLimits limits;
    limits.run = run_;
    auto tree =
        BucketTree::eliminate(problem, limits, BucketTree::Keep::Answers);
    if (!tree) return std::nullopt;
    if (tree->leastCost() == kInfiniteCost) return Least{kInfiniteCost, {}};
    return Least{tree->leastCost(), tree->cheapest()};
  }

  const DecisionGraph& graph_;
  std::optional<double> enough_;
  Counting counting_;
  double maxRead_;
  Movements& movements_;
  const SearchRun& run_;
  double numEntries_;
  double numRead_ = 0;
  std::vector<Moment> moments_;
  std::vector<Assignment> played_;  // of all variables
  LeastMemory least_;
  double unitBytes_ = 0;
};

}  // namespace

Fit fitsInto(const DecisionGraph& graph, double memoryBytes,
             Movements& movements, const SearchRun& run) {
  return Game(graph, memoryBytes, Counting::Certain, movements, run).run();
}

std::optional<LeastMemory> leastMemory(const DecisionGraph& graph,
                                       Movements& movements,
                                       const SearchRun& run) {
  Game game(graph, /*enough=*/std::nullopt, Counting::Ample, movements, run);
  // Few plans are tied, and mostly one of them takes little memory.
  Restriction tied = withTies(graph, AxisTies::OfALevel);
  if (numEntries(tied.graph()) < numEntries(graph)) {
    Game ofTied(tied.graph(), /*enough=*/std::nullopt, Counting::Ample,
                movements, run);
    if (ofTied.run() == Fit::Close)
      game.look(tied.inWhole(ofTied.least().assignment));
  }
  if (game.run() != Fit::Close) return std::nullopt;
  LeastMemory least = game.least();
  Game forBound(graph, /*enough=*/std::nullopt, Counting::Certain, movements,
                run);
  forBound.look(least.assignment);
  least.bound = forBound.run() == Fit::Close ? forBound.least().bound : 0;
  if (forBound.least().bytes < least.bytes) {
    least.assignment = forBound.least().assignment;
    least.bytes = forBound.least().bytes;
  }
  return least;
}

}  // namespace sbp::search
