// Elimination, step by step, with what each step knew.
//
// A bucket is a variable and all tables that know it when its turn comes. The
// variables beside it in these tables are the bucket's scope. Its message is
// the table over the scope that says what the best state costs; it goes into
// the bucket of whichever of the scope is eliminated next, so the buckets form
// a tree:
//
//      bucket a: own(a) + ab(a, b)            message over b
//      bucket b: own(b) + bc(b, c) + from a   message over c
//      bucket c: own(c) + from b              message: the optimum
//
// A second pass, down the tree, tells each bucket what all tables outside of it
// and of those below it cost at least. Inside and outside together give, for
// every state of every variable, what the best assignment with it costs: what a
// pin would change.

#ifndef PASSES_SEARCH_SOLVERS_BUCKETTREE_H_
#define PASSES_SEARCH_SOLVERS_BUCKETTREE_H_

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "passes/search/Problem.h"
#include "passes/search/SearchRun.h"

namespace sbp::search {

/// How much a problem may take. The defaults stand for half a gigabyte and some
/// ten seconds.
struct EliminationLimits {
  double tableEntries = 3e7;  // of one table
  double work = 1e10;         // sums of costs, in all
  /// Whoever eliminates asks this now and then whether to go on.
  SearchRun run = {};
};

struct Bucket {
  int64_t variable = 0;
  std::vector<int64_t> scope;  // ascending
  /// Indices of the tables that are added up here, and of the message.
  std::vector<size_t> tables;
  size_t message = 0;
  /// The best state for every choice of the scope, row-major.
  std::vector<State> best;
  /// Per choice of the scope, the least of all tables outside of this bucket
  /// and those below it. Known after `passDown`.
  std::vector<Cost> outside;
};

class BucketTree {
 public:
  enum class Keep {
    Answers,  // the best states only; tables of zeros are left out
    Tables,   // all, which a pass down needs
  };

  /// Eliminates all variables of `problem`, which must outlive the tree.
  /// Nothing when that would take more than `limits` allow, which is known
  /// beforehand; or when the run that they name is over.
  static std::optional<BucketTree> eliminate(const Problem& problem,
                                             EliminationLimits limits,
                                             Keep keep);

  /// What the cheapest assignment costs.
  Cost leastCost() const { return constant_; }
  Assignment cheapest() const;

  /// Tells every bucket what is outside of it, and returns per variable and
  /// state the least cost of an assignment that has it. Once only, on a tree
  /// that keeps tables. Nothing when the run is over.
  std::optional<std::vector<std::vector<Cost>>> passDown();

  /// In the order of elimination.
  const std::vector<Bucket>& buckets() const { return buckets_; }
  /// Those of the problem, without variables that have one state, then
  /// messages: that of bucket i has the index `buckets()[i].message`. For trees
  /// that keep tables.
  const std::vector<Table>& tables() const { return tables_; }
  /// The bucket whose message table `index` is; none for one of the problem.
  std::optional<size_t> senderOf(size_t index) const {
    if (index < problem_->tables().size()) return std::nullopt;
    return index - problem_->tables().size();
  }
  const Problem& problem() const { return *problem_; }

 private:
  BucketTree(const Problem& problem, SearchRun run, Keep kept);

  void keep(Table table);
  /// False when the run is over.
  bool passUp(Bucket& bucket, Keep keep);

  const Problem* problem_;
  SearchRun run_;
  std::vector<Table> tables_;
  // Per variable, the tables that know it and have not been added up.
  std::vector<std::vector<size_t>> tablesOf_;
  std::vector<Bucket> buckets_;
  Cost constant_ = 0;
};

/// A walk through all choices of a bucket's scope, the last variable fastest,
/// which adds up the bucket's tables for each state of its variable.
class BucketWalk {
 public:
  BucketWalk(const BucketTree& tree, const Bucket& bucket);

  /// The states of the scope, and their number.
  const std::vector<State>& choice() const { return choice_; }
  size_t number() const { return number_; }
  /// Per state of the variable, the sum of the tables; computed anew.
  const std::vector<Cost>& sums();
  /// That of one state.
  Cost sumOf(size_t state) const {
    Cost sum = 0;
    for (const TableWalk& walk : tables_)
      sum += walk.costs[walk.position + state];
    return sum;
  }
  /// Steps to the next choice; false after the last.
  bool advance();

  /// Where, in a copy of the bucket's table number `i` that has the states of
  /// the variable side by side, those of this choice begin.
  size_t positionIn(size_t i) const { return tables_[i].position; }
  /// Brings such a copy back into the order of the table.
  std::vector<Cost> inTableOrder(size_t i, const std::vector<Cost>& copy) const;

 private:
  struct TableWalk {
    // The table is `outer` x states of the variable x `inner`.
    size_t outer = 1, inner = 1;
    std::vector<Cost> costs;  // states of the variable side by side
    size_t position = 0;
    // How far a step of each variable of the scope moves; zero for those that
    // the table does not know.
    std::vector<size_t> strides;
  };

  const Problem& problem_;
  const std::vector<int64_t>& scope_;
  size_t numStates_;
  std::vector<TableWalk> tables_;
  std::vector<State> choice_;
  size_t number_ = 0;
  std::vector<Cost> sums_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_BUCKETTREE_H_
