// The last step of MemoryLimit.h: search for the fastest plan within a memory
// limit, between a lower bound and the best known plan.
//
// Let D be the bound, and lambda the price of a byte at which it was found. A
// plan within the limit that takes less than D + slack costs less than D +
// slack + lambda * limit at this price. So it stays in a reduced space
// (ReducedSpace.h), where labels find it (Labels.h). The slack begins small and
// grows until a plan is found within it: this plan is the optimum by counts of
// axes (LayoutSpace.h). Its arcs are then lifted: their costs are computed
// for single axes (Fronts.h). If they cost what counts promise, the plan is
// real and the optimum. If not, labels are computed again, and arcs of later
// reduced spaces are lifted at once. If a reduced space would take too much,
// the slack is reduced: a small slack still raises the bound.
//
// Before that, known plans are mixed: the reduced space of their layouts has
// some dozen rows (Rows.h), and its best plan is far better than any of the
// known plans.
//
// In each reduced space, a search with few labels per position first looks for
// any better plan. A better plan lowers the limit of the full search.

#ifndef PASSES_SEARCH_BUDGET_REDUCEDSPACESEARCH_H_
#define PASSES_SEARCH_BUDGET_REDUCEDSPACESEARCH_H_

#include <cstdint>
#include <optional>

#include "passes/search/budget/Fronts.h"
#include "passes/search/budget/Labels.h"
#include "passes/search/budget/ReducedSpace.h"
#include "passes/search/lifting/LiftedPlan.h"
#include "passes/search/refinement/ExactSearch.h"

namespace sbp::search {

/// Most layouts that are examined to lift one transition of a plan.
inline constexpr int64_t kMaxLooks = 300'000;

/// The result of the search.
struct LimitedAnswer {
  TimeAndBytes cost;  // kNever if no plan was found
  /// Lower bound of the time of every plan within the limit; kNever if there is
  /// no such plan.
  Ticks lowerBound = 0;
  double fewestBytes = 0;
  int64_t searches = 0, labelSearches = 0, labels = 0;
  std::optional<TransitionPlan> plan;
};

/// Options of a search within a memory limit.
struct MemoryOptions {
  /// Limits of the work to prove a plan: the number of layouts carried over
  /// blocks, and the number of labels.
  double maxWork = 2e8;
  int64_t maxLabels = 1'000'000'000;
};

/// A search that improves a known answer.
class ReducedSpaceSearch {
 public:
  /// `search` is the search at the byte price of `priced`; it is continued.
  /// `answer` has a bound and perhaps a plan. All must outlive this object.
  ReducedSpaceSearch(const PricedChain& priced, ExactSearch& search,
                     double limitBytes, MemoryOptions options,
                     LimitedAnswer& answer);

  /// Improves the plan by mixing `plans`, which are given by the layouts of
  /// their residual tensors.
  void mix(const std::vector<const std::vector<Layout>*>& plans);

  /// Raises the bound and improves the plan, until they meet or the limits of
  /// work are reached. `optimumAtPrice` is the cost of the plan of the search.
  void run(Ticks optimumAtPrice);

 private:
  /// Searches all plans along a reduced space that take at most `most`. Returns
  /// whether the search was complete.
  bool searchUpTo(Ticks most, ReducedSpace reduced);
  /// Finds the fastest of the plans along the reduced space that take at most
  /// `most`, or proves that there is none. Returns false if there would be too
  /// many labels.
  bool findFastest(const ReducedSpace& reduced, Fronts& fronts,
                   const PricedCostToGo& left, Ticks most);
  /// Looks for a better plan along the reduced space, with few labels.
  void findSome(const ReducedSpace& reduced, Fronts& fronts,
                const PricedCostToGo& left);
  /// Looks for a plan along lifted arcs only. Such a plan is real.
  void findAmongLifted(ReducedSpace reduced, const Fronts& fronts);
  /// Returns a lower bound of the time per block.
  Ticks ofOneBlock() const;
  /// Lifts the steps of `labels`. Kept: each costs for single axes what its
  /// front promised. Corrected: a front has changed. Missing: lifting takes too
  /// much.
  enum class Lifting { Kept, Corrected, Missing };
  Lifting liftSteps(const ReducedSpace& reduced, Fronts& fronts,
                    const LabelAnswer& labels);
  Lifting keepIfBetter(const ReducedSpace& reduced, const LabelAnswer& labels);
  std::optional<TransitionPlan> planOf(const ReducedSpace& reduced,
                                       const LabelAnswer& labels) const;
  std::optional<BlockTransition> transitionOf(const Arc& arc,
                                              const TimeAndBytes& cost) const;

  const PricedChain* priced_;
  ExactSearch* search_;
  double limitBytes_;
  Ticks paid_;  // price of the bytes of the limit
  MemoryOptions options_;
  LimitedAnswer* answer_;
  int64_t passes_ = 0;      // of all reduced spaces
  int64_t lastLabels_ = 0;  // formed in the last findFastest()
  bool wereWrong_ = false;  // whether a step cost more than counts promised
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_BUDGET_REDUCEDSPACESEARCH_H_
