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
//     compute the rows of the layouts with the least sums below that cost,
//     as far as plans use them that are little above the bound
//
// Where the bound is below the plan, some plan attains the bound and passes a
// layout without a row (with rows only it would be exact, and found): rows are
// added until both meet. Of 7,350 layouts on 64 x 8 devices some 20 need rows.
//
// Before a plan's cost becomes the limit by which anything is left out, the
// plan is *settled*: every step of it is taken by axes that have names
// (Crossing.h). If one costs more than its entry, counts were too optimistic:
// the entry is raised, with those of its row that are like it (NamedRows.h),
// and another plan may be the cheapest. So the limit is what a real plan costs,
// nothing that was left out has to be looked for again, and where bound and
// limit meet the plan is the cheapest for real placements.
//
// A search that takes too long ends with both, and what lies between.

#ifndef PASSES_SEARCH_LAYOUT_EXACTSEARCH_H_
#define PASSES_SEARCH_LAYOUT_EXACTSEARCH_H_

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

#include "passes/search/layout/NamedRows.h"
#include "passes/search/layout/NarrowRows.h"
#include "passes/search/layout/Passable.h"
#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/Rows.h"
#include "passes/search/layout/Trail.h"

namespace sbp::search {

struct ExactAnswer {
  /// Of the plan; kNever if there is none at all.
  Ticks optimum = kNever;
  /// No plan costs less. It is the optimum, unless the search took too long.
  Ticks lowerBound = kNever;
  /// The least that counts of axes promised for any plan that was found; less
  /// than the optimum if they promise too much.
  Ticks countBound = kNever;
  /// Whether the plan's cost is that of placements, not only of counts.
  bool isCertified = false;
  int64_t rowsUsed = 0;
  /// Of how many entries of rows it was found what they are for placements.
  int64_t crossings = 0;
  /// The layouts of the residual tensors.
  std::vector<Layout> residuals;
};

/// Some 10^7 layouts are carried over a block in a second.
inline constexpr double kMostWork = 4.5e8;

/// Some hundred megabytes of entries.
inline constexpr int64_t kMostEntries = 40'000'000;

struct ExactOptions {
  /// A crossing is given up when it takes more layouts than this to find.
  int64_t maxLooks = 300'000;
  /// A row's crossings are found one by one where more coloured layouts than
  /// this would matter on a leg to find them at once.
  size_t mostColoured = kMostColoured;
  bool certifies = true;
  /// The search ends when it has carried values to so many layouts, block by
  /// block, and named as much: some forty seconds.
  double maxWork = kMostWork;
  /// The search ends when the plan is above the bound by this part of it.
  double enoughGap = 0;
  /// Plans that cost more do not matter: where there is none below, neither
  /// bounds nor cover() have to reach further.
  Ticks ceiling = kNever;
  /// How many entries of rows may be kept before rows are kept in parts only.
  int64_t mostEntries = kMostEntries;
};

class ExactSearch {
 public:
  explicit ExactSearch(const PricedChain& priced, ExactOptions options = {});

  ExactAnswer solve();

  /// After solve(): goes on until the plan is so near the bound, or it has
  /// taken so much more.
  ExactAnswer proceed(double enoughGap, double moreWork);

  /// After solve(): adds rows until every layout that a plan of up to `reach`
  /// may pass has one, or it has taken `mostWork`; whether all have.
  bool cover(Ticks reach, double mostWork);

  /// After solve(): carries values to all layouts, so that they bound what it
  /// costs to come to layouts far from the plan too, closely. Adds rows for
  /// up to `more` layouts of each block, as far as there is room.
  void sharpen(size_t more);

  /// The least that a plan costs by what is known of it.
  Ticks bound() const;
  /// What was done until now: layouts carried over blocks.
  double work() const { return work_; }

  // What solve() leaves behind, for questions that start from its answer.
  const Rows& rows() const { return rows_; }
  const std::vector<Layout>& plan() const { return plan_; }
  const Trail& forward() const { return *forward_; }
  const Trail& backward() const { return *backward_; }
  /// What plans pay at least besides a block, wherever it is: up to each layout
  /// where it starts and to the end from the cheapest layout behind it, and
  /// how much more from each layout behind it.
  struct Surroundings {
    Values before, behind;
  };
  Surroundings surroundingsOf(int64_t block) const;
  /// Whether many rows had entries that cost more than counts promise: then
  /// others do too, and are named before a plan uses them.
  bool areCountsOftenWrong() const;
  /// The moves of layouts, made when they are asked for first.
  const FewMoves& moves(FewMoves::Direction direction);

 private:
  using RowName = std::pair<int64_t, Layout>;  // block, from

  /// A row that is missing, and a bound on plans that would use it.
  struct Candidate {
    Ticks bound = 0;
    RowName name;
    bool operator<(const Candidate& other) const {
      return std::tie(bound, name) < std::tie(other.bound, other.name);
    }
  };

  /// The positions where a block starts.
  std::vector<int64_t> placesOf(int64_t block) const;
  /// Of each block that is used, the one in the middle.
  std::vector<int64_t> middlePlaces() const;
  void begin();
  /// Carries values to all layouts.
  void refresh();
  ExactAnswer close();
  bool isDone() const;
  /// Plans from that cost on are not looked for.
  Ticks limit() const { return std::min(planCost_, options_.ceiling); }
  void descend();
  /// Lets bounds count skips, as far as the plan's layouts say what they take.
  void setAnchors();
  /// And as far as few more say, those for whose sake bounds are low.
  void addAnchors();
  void carry();
  /// Of carrying values to so many layouts over a block.
  void countWork(int64_t block, size_t layouts);
  /// Of adding so many entries of rows to values.
  void countEntries(size_t entries);
  void narrow();
  /// The moves of a block that plans within reach use; null for all, as long as
  /// to list them takes longer than what has been walked without.
  const ListedBlock* branchOf(int64_t block);
  std::optional<ListedBlock> listBranch(int64_t block);
  size_t rowsAtOnce() const;
  /// How far plans go whose rows are added next, if so far is wanted; some rows
  /// are missing.
  Ticks aim(const std::vector<Candidate>& missing, Ticks wanted) const;
  /// Adds rows that the cheapest plans up to `reach` need, most of them in
  /// part; false if these have all they need.
  bool addUpTo(Ticks reach);
  /// Rows of a block, in order of layouts.
  using RowsByLayout = std::vector<std::pair<Layout, const Row*>>;
  /// Of each block the rows of layouts that plans below `limit` may pass.
  std::vector<RowsByLayout> rowsWithin(Ticks limit) const;
  void findPlan();
  /// Those with bounds below `limit`, block by block.
  std::vector<Candidate> candidates(Ticks limit) const;
  /// Of each block the `most` with the least bounds.
  static std::vector<RowName> cheapest(std::vector<Candidate> candidates,
                                       size_t most);
  void addRow(RowName name);
  /// Adds rows as far as the limit needs them, but of each block no more than
  /// `mostWide` that take a sweep, and of these, if they are pruned, what the
  /// limit needs; none when too much is done. Whether all were added.
  bool addAll(const std::vector<RowName>& names, size_t mostWide,
              bool triesNarrow, bool prunesWide);
  /// Whether so many more rows may be kept whole.
  bool haveRoom(size_t rows) const;
  /// A row as far as plans up to the reach use it; `others` is what the rest
  /// costs at least, with what is left `behind`.
  void addPart(RowName name, Ticks others,
               std::shared_ptr<const Values> behind);
  void setPart(RowName name, Row part, Ticks others,
               std::shared_ptr<const Values> behind);
  /// Those of one block, until clearly more than `mostWide` are not narrow;
  /// returns their layouts.
  std::vector<Layout> addNarrowRows(int64_t block,
                                    const std::vector<Layout>& from,
                                    const Values& before,
                                    const std::shared_ptr<const Values>& behind,
                                    size_t mostWide);
  Values row(RowName name);
  /// Finds what the cheapest plan costs for axes with names; gives up after so
  /// many plans that cost more than was promised, or when too much is done.
  void settle(int64_t mostPlans = std::numeric_limits<int64_t>::max());
  /// Rows of blocks for axes with names, found while trails are what they are.
  struct Namer {
    Surroundings around;
    NamedRows<Ticks> rows;
    std::set<Layout> tooWide;  // where rows start that were given up
  };
  using Namers = std::map<int64_t, Namer>;  // by block
  Namer& namerOf(int64_t block, Namers& namers);
  /// Whether axes with names take the plan for what it costs; else its rows are
  /// raised.
  bool certify(Namers& namers);
  /// An entry of a row, for axes with names.
  struct NamedEntry {
    Ticks counted = kNever, named = 0;
    bool isExact = false;  // or it costs no less than that
  };
  const NamedEntry& nameEntry(RowName name, Layout to, Namers& namers);
  /// Finds what entries of a row cost that, with what is left `behind`, cost no
  /// more than the budget; false if these are too many.
  bool nameRow(RowName name, Ticks budget, const Values& behind,
               NamedRows<Ticks>& rows);
  /// And what entries of narrow rows cost, if counts are often wrong.
  void nameParts(const std::vector<RowName>& names);
  void raiseNamed(RowName name, Row& row) const;

  const PricedChain* priced_;
  ExactOptions options_;
  std::vector<int64_t> blocks_, periods_;
  Values head_, tail_;
  Rows rows_;
  /// Entries that were found for axes with names, row by row.
  std::map<RowName, std::map<Layout, NamedEntry>> named_;
  std::shared_ptr<const Trail> forward_, backward_;
  /// Where values are carried to; to all layouts, if there is none.
  std::shared_ptr<const Passable> passable_;
  /// And by what moves, block by block.
  struct Branch {
    double walks = 0;
    std::optional<ListedBlock> moves;
  };
  std::vector<Branch> branches_;
  double walksPerList_ = 0;
  std::unique_ptr<FewMoves> ahead_, back_;
  /// The trails that cover() begins with, and how far they reach.
  std::shared_ptr<const Trail> wideForward_, wideBackward_;
  Ticks wideReach_ = 0;
  Ticks planCost_ = kNever;  // of plan_
  Ticks bound_ = 0;
  std::vector<Layout> plan_;
  Ticks settledCost_ = kNever;  // of settled_, for axes with names
  std::vector<Layout> settled_;
  /// Plans that cost more are left out of everything.
  Ticks reach_ = kNever;
  Ticks countBound_ = kNever;
  bool isCertified_ = true;
  /// Whether values that are carried are raised to what the plan proves.
  bool isSharp_ = false;
  /// And lowered, if they do not repeat for so long.
  int64_t mostPeriods_;
  int64_t rowsUsed_ = 0;
  double work_ = 0;
  double mostWork_;  // may be done until it is given up
  double workPerNarrowRow_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_EXACTSEARCH_H_
