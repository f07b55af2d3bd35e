// The cheapest layouts of a deep network, with a proof.
//
// A lower bound of all plans through a layout is a sum of two values: the least
// cost from the head to the layout, and from the layout to the tail. The values
// of all layouts at all positions are two value functions (ValueFunctions.h).
// They are computed from the costs of the transitions of each block: exact rows
// for some layouts, and bounds for the others (Rows.h). Rows are added lazily:
//
//   repeat
//     bound  := least over layouts x of costToCome(x) + costToGo(x)
//     plan   := cheapest plan through layouts with rows; it is exact
//     stop if bound = cost of the plan
//     compute the rows of the layouts with the least sums below that cost;
//     only their entries that matter to plans little above the bound
//
// If the bound is below the plan's cost, a sequence of layouts that attains the
// bound passes a layout without a row: with rows only, it would be exact and
// found as the plan. So rows are added until both meet. Of 7,350 layouts on 64
// x 8 devices some 20 need rows.
//
// Before the cost of a plan becomes the limit above which layouts are dropped,
// the plan is *lifted*: the cost of each transition is computed for single axes
// (BlockTransition.h). If a transition costs more than its entry in a row,
// counts of axes promised too much. Then the entry is raised, together with
// similar entries of its row (LiftedRows.h), and another plan may be the
// cheapest. So the limit is the cost of a real plan, nothing that was dropped
// is needed again, and when bound and limit meet, the plan is the cheapest one
// for real placements.
//
// A search that takes too long ends with a plan and a bound.

#ifndef PASSES_SEARCH_REFINEMENT_EXACTSEARCH_H_
#define PASSES_SEARCH_REFINEMENT_EXACTSEARCH_H_

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "passes/search/chain/NarrowRows.h"
#include "passes/search/chain/PricedChain.h"
#include "passes/search/chain/Rows.h"
#include "passes/search/chain/SurvivingLayouts.h"
#include "passes/search/chain/ValueFunctions.h"
#include "passes/search/lifting/LiftedRows.h"
#include "passes/search/refinement/RefinementTuning.h"

namespace sbp::search {

/// The result of a search.
struct ExactAnswer {
  /// Cost of the plan; kNever if there is no plan.
  Ticks optimum = kNever;
  /// Lower bound of the cost of every plan. It equals the optimum, unless the
  /// search took too long.
  Ticks lowerBound = kNever;
  /// Least cost, by counts of axes, of all plans that were found. Less than the
  /// optimum if counts promise too much.
  Ticks countBound = kNever;
  /// Whether the optimum is the cost of placements, not only of counts.
  bool isCertified = false;
  int64_t rowsUsed = 0;
  /// Number of entries of rows whose cost of placements is known.
  int64_t transitions = 0;
  /// The layouts of the residual tensors.
  std::vector<Layout> residuals;
};

/// Options of a search.
struct ExactOptions {
  /// Most layouts that are examined to find one transition.
  int64_t maxLooks = 300'000;
  /// Largest number of stabiliser orbits on a stage (BlockOperator.h) for
  /// lifting a whole row at once. If more would matter, the row's transitions
  /// are found one by one.
  size_t mostOrbits = kMostOrbits;
  /// Whether plans are lifted, so that costs are those of placements.
  bool certifies = true;
  /// Limit of the work: layouts carried over blocks, and the same limit again
  /// for lifting. The default takes some forty seconds.
  double maxWork = kRefinement.mostWork;
  /// Relative gap between plan and bound at which the search ends.
  double enoughGap = 0;
  /// Plans that cost more do not matter. If there is no cheaper plan, bounds
  /// and cover() stop at this cost.
  Ticks ceiling = kNever;
  /// Number of entries of all rows up to which new rows are kept whole.
  int64_t mostEntries = kRefinement.mostEntries;
};

/// A search. Starts with solve(), and may be continued.
class ExactSearch {
 public:
  explicit ExactSearch(const PricedChain& priced, ExactOptions options = {});

  ExactAnswer solve();

  /// Continues after solve(), until the relative gap is at most `enoughGap` or
  /// `moreWork` has been done.
  ExactAnswer proceed(double enoughGap, double moreWork);

  /// Must be called after solve(). Adds a row for each layout that a plan with
  /// a cost of at most `threshold` may pass. Stops when `mostWork` has been
  /// done. Returns whether all these layouts have a row.
  bool cover(Ticks threshold, double mostWork);

  /// Returns the lower bound of the cost of every plan by the current value
  /// functions.
  Ticks bound() const;
  /// Returns the work so far: layouts carried over blocks.
  double work() const { return work_; }

  // Results of solve(), for searches that start from them.
  const Rows& rows() const { return rows_; }
  const std::vector<Layout>& plan() const { return plan_; }
  const ValueFunctions& costToCome() const { return *costToCome_; }
  const ValueFunctions& costToGo() const { return *costToGo_; }
  /// Lower bounds of what plans pay outside a block. They hold at all positions
  /// where the block occurs. `before`: per layout at the start of the block,
  /// the cost up to there, plus the cost from the cheapest layout at the end of
  /// the block to the tail. `behind`: per layout at the end, by how much it is
  /// dearer than the cheapest one.
  struct Surroundings {
    Values before, behind;
  };
  Surroundings surroundingsOf(int64_t block) const;
  /// Whether many rows had entries that cost more than counts promise. If so,
  /// other rows are lifted before a plan uses them.
  bool areCountsOftenWrong() const;
  /// Returns the moves between layouts (FewLayouts.h); makes them on first use.
  const FewMoves& moves(FewMoves::Direction direction);

 private:
  using RowKey = std::pair<int64_t, Layout>;  // block, from

  /// A layout without a row, and a lower bound of all plans that use its row.
  struct Candidate {
    Ticks bound = 0;
    RowKey key;
    bool operator<(const Candidate& other) const {
      return std::tie(bound, key) < std::tie(other.bound, other.key);
    }
  };

  /// Returns the positions where a block starts.
  std::vector<int64_t> placesOf(int64_t block) const;
  /// Returns the middle position of each block that is used.
  std::vector<int64_t> middlePlaces() const;
  void begin();
  /// Carries values to all layouts.
  void refresh();
  ExactAnswer close();
  bool isDone() const;
  /// Cost from which on plans are not searched.
  Ticks limit() const { return std::min(planCost_, options_.ceiling); }
  void descend();
  /// Sets the anchors for bounds of skips: the plan's layouts.
  void setAnchors();
  void carry();
  /// Adds the work of carrying values to `layouts` layouts over a block.
  void countWork(int64_t block, size_t layouts);
  /// Adds the work of adding `entries` entries of rows to values.
  void countEntries(size_t entries);
  void narrow();
  /// Returns the listed moves of a block for plans below the threshold; null
  /// for all moves. Moves are listed once sweeps have taken as long as listing
  /// takes.
  const ListedBlock* branchOf(int64_t block);
  std::optional<ListedBlock> listBranch(int64_t block);
  size_t rowsAtOnce() const;
  /// Returns a cost up to which rows are added next: at most about `wanted`,
  /// depending on the number of missing rows.
  Ticks aim(const std::vector<Candidate>& missing, Ticks wanted) const;
  /// Adds rows that the cheapest plans up to `threshold` need, mostly in part.
  /// Returns false if none was added.
  bool addUpTo(Ticks threshold);
  /// Rows of a block, by ascending layout.
  using RowsByLayout = std::vector<std::pair<Layout, const Row*>>;
  /// Returns, per block, the rows of layouts that plans below `limit` may pass.
  std::vector<RowsByLayout> rowsWithin(Ticks limit) const;
  void findPlan();
  /// Returns candidates with bounds below `limit`, block by block.
  std::vector<Candidate> candidates(Ticks limit) const;
  /// Returns the `most` candidates of each block with the least bounds.
  static std::vector<RowKey> cheapest(std::vector<Candidate> candidates,
                                      size_t most);
  void addRow(RowKey key);
  /// Adds rows. If `triesNarrow`, first as narrow rows (NarrowRows.h). Of the
  /// rows that need a sweep over all layouts, adds at most `mostWide` per
  /// block; if `prunesWide`, only their entries that plans below the threshold
  /// need. Stops when the limit of work is reached. Returns whether all rows
  /// were added.
  bool addAll(const std::vector<RowKey>& keys, size_t mostWide,
              bool triesNarrow, bool prunesWide);
  /// Whether `rows` more rows may be kept whole.
  bool haveRoom(size_t rows) const;
  /// Adds the entries of a row that plans below the threshold use. `others`
  /// bounds the other entries, and `behind` the costs after the block (Row).
  void addPart(RowKey key, Ticks others, std::shared_ptr<const Values> behind);
  void setPart(RowKey key, Row part, Ticks others,
               std::shared_ptr<const Values> behind);
  /// Adds narrow rows of one block, until the number of rows that are not
  /// narrow clearly exceeds `mostWide`. Returns the layouts of the latter.
  std::vector<Layout> addNarrowRows(int64_t block,
                                    const std::vector<Layout>& from,
                                    const Values& before,
                                    const std::shared_ptr<const Values>& behind,
                                    size_t mostWide);
  Values row(RowKey key);
  /// Finds the cost of the cheapest plan for single axes. Gives up after
  /// `mostPlans` plans that cost more than promised, or when the limit of work
  /// is reached.
  void liftIncumbent(int64_t mostPlans = std::numeric_limits<int64_t>::max());
  /// Lifted rows of a block, valid while value functions do not change.
  struct RowLifter {
    Surroundings around;
    LiftedRows<Ticks> rows;
    std::set<Layout> tooWide;  // starts of rows that were given up
  };
  using RowLifters = std::map<int64_t, RowLifter>;  // by block
  RowLifter& lifterOf(int64_t block, RowLifters& lifters);
  /// Whether single axes cost what the plan promises. If not, raises the
  /// entries of its rows.
  bool certify(RowLifters& lifters);
  /// An entry of a row, for single axes.
  struct LiftedEntry {
    Ticks counted = kNever, lifted = 0;
    bool isExact = false;  // otherwise `lifted` is a lower bound
  };
  const LiftedEntry& liftEntry(RowKey key, Layout to, RowLifters& lifters);
  /// Finds the lifted costs of the entries of a row that, with the cost
  /// `behind`, are at most `budget`. Returns false if there are too many.
  bool liftRow(RowKey key, Ticks budget, const Values& behind,
               LiftedRows<Ticks>& rows);
  /// Finds the lifted costs of entries of narrow rows, if counts are often
  /// wrong.
  void liftParts(const std::vector<RowKey>& keys);
  void raiseLifted(RowKey key, Row& row) const;

  const PricedChain* priced_;
  ExactOptions options_;
  std::vector<int64_t> blocks_, periods_;
  Values head_, tail_;
  Rows rows_;
  /// Lifted entries, per row.
  std::map<RowKey, std::map<Layout, LiftedEntry>> lifted_;
  std::shared_ptr<const ValueFunctions> costToCome_, costToGo_;
  /// The layouts to which values are carried; null for all.
  std::shared_ptr<const SurvivingLayouts> surviving_;
  /// Listed moves, per block.
  struct Branch {
    double sweeps = 0;
    std::optional<ListedBlock> moves;
  };
  std::vector<Branch> branches_;
  double sweepsPerList_ = 0;
  std::unique_ptr<FewMoves> ahead_, back_;
  /// The value functions with which cover() begins, and their threshold.
  std::shared_ptr<const ValueFunctions> wideCostToCome_, wideCostToGo_;
  Ticks wideThreshold_ = 0;
  Ticks planCost_ = kNever;  // of plan_
  Ticks bound_ = 0;
  std::vector<Layout> plan_;
  Ticks incumbentCost_ = kNever;  // of incumbent_, for single axes
  std::vector<Layout> incumbent_;
  /// Plans that cost more are dropped everywhere.
  Ticks threshold_ = kNever;
  Ticks countBound_ = kNever;
  bool isCertified_ = true;
  int64_t rowsUsed_ = 0;
  double work_ = 0;
  double mostWork_;  // work after which the search is given up
  double workPerNarrowRow_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_REFINEMENT_EXACTSEARCH_H_
