// The fastest plan within a limit of memory, between the bound that a price of
// a byte gives and the best plan that is known.
//
// A plan within the limit that takes less than D + slack, where D is the bound,
// costs less than D + slack + lambda * limit at that price. So it stays in a
// corridor (Corridor.h), and is found in it by labels (Labels.h). The slack
// begins small and grows until a plan is found within it: that is the optimum,
// for counts of axes. The passages that the plan takes are named (Fronts.h). If
// they keep what counts promise, the plan is real and the optimum; if not,
// labels are found anew, and passages of later corridors are named at once.
// Where a corridor would take too much, the slack declines: the bound still
// rises by what is little.
//
// Before that, plans that are known are mixed: what leads from a layout that
// one of them passes to one that the same or another one passes next is a
// corridor of some dozen rows, and a plan in it is far better than any of them.
//
// In each corridor a few labels of each position look for any better plan
// first. They may pass what lies within reach one by one and costs more
// together. What they find is what less is asked for.

#ifndef PASSES_SEARCH_LAYOUT_CORRIDORSEARCH_H_
#define PASSES_SEARCH_LAYOUT_CORRIDORSEARCH_H_

#include <cstdint>
#include <optional>

#include "passes/search/layout/Corridor.h"
#include "passes/search/layout/ExactSearch.h"
#include "passes/search/layout/Fronts.h"
#include "passes/search/layout/Labels.h"
#include "passes/search/layout/NamedPlan.h"

namespace sbp::search {

/// How many layouts may be looked at to name one crossing of a plan.
inline constexpr int64_t kMaxLooks = 300'000;

struct LimitedAnswer {
  TimeAndBytes cost;  // never: no plan was found
  /// No plan within the limit takes less; never: there is none.
  Ticks lowerBound = 0;
  double fewestBytes = 0;
  int64_t searches = 0, labelSearches = 0, labels = 0;
  std::optional<CrossedPlan> plan;
};

struct MemoryOptions {
  /// How much may be done to prove a plan: layouts carried over blocks, and
  /// labels formed.
  double maxWork = 2e8;
  int64_t maxLabels = 1'000'000'000;
};

class CorridorSearch {
 public:
  /// `search` is that at the price of a byte of `priced`; it is carried on.
  /// `answer` knows a bound and maybe a plan. All must outlive this.
  CorridorSearch(const PricedChain& priced, ExactSearch& search,
                 double limitBytes, MemoryOptions options,
                 LimitedAnswer& answer);

  /// Betters the plan by what these pass, which are known by the layouts of
  /// their residual tensors.
  void mix(const std::vector<const std::vector<Layout>*>& plans);

  /// Raises the bound and betters the plan, until they meet or it takes too
  /// much. `optimumAtPrice` is what the search's plan costs.
  void run(Ticks optimumAtPrice);

 private:
  /// All plans along a corridor that take no more than `most`; whether it is
  /// known of all.
  bool searchUpTo(Ticks most, Corridor corridor);
  /// The fastest plan along the corridor that takes no more than `most`, or
  /// that there is none; false if labels are too many.
  bool findFastest(const Corridor& corridor, Fronts& fronts,
                   const LeftAlong& left, Ticks most);
  /// A plan along the corridor, if there is a better one to be found soon.
  void findSome(const Corridor& corridor, Fronts& fronts,
                const LeftAlong& left);
  /// A plan along passages that have names: it is real.
  void findAmongNamed(Corridor corridor, const Fronts& fronts);
  /// What a plan takes at least, per block.
  Ticks ofOneBlock() const;
  /// Whether steps cost for axes with names what they were taken to cost, or
  /// else have other fronts now; missing if that takes too much.
  enum class Naming { Kept, Corrected, Missing };
  Naming nameSteps(const Corridor& corridor, Fronts& fronts,
                   const LabelAnswer& labels);
  Naming keepIfBetter(const Corridor& corridor, const LabelAnswer& labels);
  std::optional<CrossedPlan> planOf(const Corridor& corridor,
                                    const LabelAnswer& labels) const;
  std::optional<Crossing> crossingOf(const Passage& passage,
                                     const TimeAndBytes& cost) const;

  const PricedChain* priced_;
  ExactSearch* search_;
  double limitBytes_;
  Ticks paid_;  // for as many bytes as the limit
  MemoryOptions options_;
  LimitedAnswer* answer_;
  int64_t passes_ = 0;      // of all corridors
  int64_t lastLabels_ = 0;  // formed in the last search for the fastest
  bool wereWrong_ = false;  // whether some step cost more than counts promised
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_CORRIDORSEARCH_H_
