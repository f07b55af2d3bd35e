// Variable elimination (bucket elimination) that keeps its tables, for
// min-marginals and for further passes.
//
// A bucket is a variable with all tables over it at the time when it is
// eliminated. The other variables of these tables are the bucket's scope. The
// bucket's message is a table over the scope: the least cost over the states of
// the variable. The message is added to another bucket: that of the variable of
// the scope that is eliminated first. So the buckets form a tree:
//
//      bucket a: own(a) + ab(a, b)            message over b
//      bucket b: own(b) + bc(b, c) + from a   message over c
//      bucket c: own(c) + from b              message: the optimum
//
// A second pass, down the tree, computes for each bucket the least cost of all
// tables outside of its subtree. The costs inside and outside together are the
// min-marginals: for every state of every variable, the cost of the best
// assignment with this state. A min-marginal is the cost of the best plan if
// the variable is pinned to the state.

#ifndef PASSES_SEARCH_SOLVERS_BUCKETTREE_H_
#define PASSES_SEARCH_SOLVERS_BUCKETTREE_H_

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "passes/search/problem/Problem.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// Limits on an elimination. The defaults allow half a gigabyte and some ten
/// seconds.
struct EliminationLimits {
  double tableEntries = 3e7;  // Entries of one table.
  double work = 1e10;         // Additions of costs, in all.
  /// Elimination asks the run now and then whether to go on.
  SearchRun run = {};
};

/// A variable and its tables. A choice of the scope is a state for each
/// variable of the scope.
struct Bucket {
  int64_t variable = 0;
  std::vector<int64_t> scope;  // Ascending.
  /// Indices into BucketTree::tables(): of the tables that are added up here,
  /// and of the message.
  std::vector<size_t> tables;
  size_t message = 0;
  /// Best state of the variable per choice of the scope, row-major.
  std::vector<State> best;
  /// Per choice of the scope, the least cost of all tables outside of the
  /// subtree of this bucket. Set by passDown().
  std::vector<Cost> outside;
};

/// The buckets of a problem.
class BucketTree {
 public:
  /// Tables that the tree keeps after elimination.
  enum class Keep {
    Answers,  // only the best states; tables of zeros are left out
    Tables,   // all tables, for passDown()
  };

  /// Eliminates all variables of `problem`, which must outlive the tree.
  /// Returns nullopt if this would exceed `limits`, which is found before any
  /// table is formed, or if the run of `limits` is over.
  static std::optional<BucketTree> eliminate(const Problem& problem,
                                             EliminationLimits limits,
                                             Keep keep);

  /// Returns the cost of the cheapest assignment.
  Cost leastCost() const { return constant_; }
  Assignment cheapest() const;

  /// Computes the `outside` of every bucket, and returns the min-marginals: per
  /// variable and state, the least cost of an assignment with this state.
  /// Returns nullopt if the run is over. The tree must be made with
  /// Keep::Tables. May be called once.
  std::optional<std::vector<std::vector<Cost>>> passDown();

  /// Buckets in the order of elimination.
  const std::vector<Bucket>& buckets() const { return buckets_; }
  /// Tables of the problem, without variables that have one state, and after
  /// them the messages. The message of bucket i has the index
  /// `buckets()[i].message`. Valid only with Keep::Tables.
  const std::vector<Table>& tables() const { return tables_; }
  /// Returns the index of the bucket that has table `index` as its message;
  /// nullopt for a table of the problem. Valid only with Keep::Tables.
  std::optional<size_t> senderOf(size_t index) const {
    if (index < problem_->tables().size()) return std::nullopt;
    return index - problem_->tables().size();
  }
  const Problem& problem() const { return *problem_; }

 private:
  BucketTree(const Problem& problem, SearchRun run, Keep kept);

  void keep(Table table);
  /// Forms the message of `bucket`. Returns false if the run is over.
  bool passUp(Bucket& bucket, Keep keep);

  const Problem* problem_;
  SearchRun run_;
  std::vector<Table> tables_;
  // Per variable, the tables over it that have not been added up yet.
  std::vector<std::vector<size_t>> tablesOf_;
  std::vector<Bucket> buckets_;
  Cost constant_ = 0;
};

/// Iterates over all choices of a bucket's scope; the state of the last
/// variable changes fastest. Adds up the bucket's tables for each state of its
/// variable.
class BucketIterator {
 public:
  BucketIterator(const BucketTree& tree, const Bucket& bucket);

  /// The states of the scope, and the index of this choice.
  const std::vector<State>& choice() const { return choice_; }
  size_t number() const { return number_; }
  /// Returns the sum of the tables per state of the variable. Computes them on
  /// each call.
  const std::vector<Cost>& sums();
  /// Returns the sum of the tables for one state.
  Cost sumOf(size_t state) const {
    Cost sum = 0;
    for (const TablePosition& at : tables_)
      sum += at.costs[at.position + state];
    return sum;
  }
  /// Steps to the next choice. Returns false after the last choice.
  bool advance();

  /// Returns where the costs of this choice begin in a copy of table `i` of the
  /// bucket. In such a copy the costs of all states of the variable are
  /// adjacent.
  size_t positionIn(size_t i) const { return tables_[i].position; }
  /// Returns the costs of such a copy in the order of the table.
  std::vector<Cost> inTableOrder(size_t i, const std::vector<Cost>& copy) const;

 private:
  /// A table of the bucket, and the position of the choice in it.
  struct TablePosition {
    // The table is `outer` x states of the variable x `inner`.
    size_t outer = 1, inner = 1;
    std::vector<Cost> costs;  // states of the variable adjacent
    size_t position = 0;
    // Step of `position` per variable of the scope; 0 for a variable that the
    // table does not have.
    std::vector<size_t> strides;
  };

  const Problem& problem_;
  const std::vector<int64_t>& scope_;
  size_t numStates_;
  std::vector<TablePosition> tables_;
  std::vector<State> choice_;
  size_t number_ = 0;
  std::vector<Cost> sums_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_BUCKETTREE_H_
