// The cheapest layouts of a deep network, with a proof.
//
// A lower bound on all plans through each layout is the sum of two trails, one
// from the head and one from the tail, over a mixture of exact rows and bounds
// (Rows.h). Rows are refined lazily:
//
//   repeat
//     bound  := least over layouts x of forward(x) + backward(x)
//     plan   := cheapest plan through layouts with rows; it is exact
//     stop if bound = cost of the plan
//     compute the rows of the layouts with the least sums below that cost
//
// Where the bound is below the plan, some plan attains the bound and passes a
// layout without a row (with rows only it would be exact, and found): rows are
// added until both meet. Of 7,350 layouts on 64 x 8 devices some 20 need rows.
//
// Then the rows of the plan are coloured, that is: computed for axes that have
// names. If none grows, the plan is the cheapest for real placements. If one
// does, counts were too optimistic, and the search goes on with coloured rows
// in place of the counted ones.

#ifndef PASSES_SEARCH_LAYOUT_EXACTSEARCH_H_
#define PASSES_SEARCH_LAYOUT_EXACTSEARCH_H_

#include <set>
#include <utility>
#include <vector>

#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/Rows.h"
#include "passes/search/layout/Trail.h"

namespace sbp::search {

struct ExactAnswer {
  /// Of the plan; kNever if there is none at all.
  Ticks optimum = kNever;
  /// No plan costs less.
  Ticks lowerBound = kNever;
  /// The least that counts of axes promise; less than the optimum if they
  /// promise too much.
  Ticks countBound = kNever;
  /// Whether the plan's cost is that of placements, not only of counts.
  bool isCertified = false;
  int64_t rowsUsed = 0;
  int64_t colouredRows = 0;
  /// The layouts of the residual tensors.
  std::vector<Layout> residuals;
};

struct ExactOptions {
  /// Colouring is left out where it would take more layouts than this.
  double maxColouredLayouts = 1.6e7;
  bool certifies = true;
};

class ExactSearch {
 public:
  explicit ExactSearch(const PricedChain& priced, ExactOptions options = {});

  ExactAnswer solve();

  // What solve() leaves behind, for questions that start from its answer.
  const Rows& rows() const { return rows_; }
  const Trail& forward() const { return *forward_; }
  const Trail& backward() const { return *backward_; }

 private:
  using RowName = std::pair<int64_t, Layout>;  // block, from

  void close();
  void carry();
  Ticks bound() const;
  void findPlan();
  bool addRows();
  void addRow(RowName name);
  Values row(RowName name);
  Row prune(RowName name, const Values& values) const;
  std::vector<RowName> rowsOfPlan() const;
  bool colourPlan();

  const PricedChain* priced_;
  ExactOptions options_;
  std::vector<int64_t> blocks_, periods_;
  Values head_, tail_;
  Rows rows_;
  std::set<RowName> coloured_;  // whose rows are to be coloured
  std::unique_ptr<Trail> forward_, backward_;
  Ticks limit_ = kNever;  // the cost of plan_
  Ticks bound_ = 0;
  std::vector<Layout> plan_;
  int64_t rowsUsed_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_EXACTSEARCH_H_
