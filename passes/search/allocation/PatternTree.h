// The search tree of SchedulePattern.h for one allocation: at a given period,
// the integers k(i,j) of all pairs of operations that share a resource.

#ifndef PASSES_SEARCH_ALLOCATION_PATTERNTREE_H_
#define PASSES_SEARCH_ALLOCATION_PATTERNTREE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "passes/search/allocation/PatternOperations.h"

namespace sbp::search {

/// The result of a search at one period.
struct PatternSearch {
  std::optional<Pattern> pattern;
  bool isComplete = false;  // without a pattern: there is none
  int64_t nodes = 0;        // that were looked at
};

/// The tree, as described at the head of this file.
class PatternTree {
 public:
  /// Both arguments must outlive the tree.
  PatternTree(const StageCosts& costs, const Allocation& allocation);

  /// Returns the busiest resource's milliseconds, below which there is no
  /// pattern, and the period of the pattern with one micro-batch in flight.
  double busiest() const { return operations_.busiest(); }
  double sequential() const;

  /// Searches for a pattern with a period of at most `period`, and at least
  /// busiest(). With many operations, a node counts as several of `maxNodes`.
  PatternSearch search(double period, int64_t maxNodes);

 private:
  /// Two operations of one resource, and the range of their integer.
  struct Pair {
    int64_t first = 0, second = 0;
  };
  struct Range {
    int64_t low = 0, high = 0;
  };
  /// One term of a memory constraint: bytes times an integer.
  struct Term {
    int64_t pair = 0;
    double bytes = 0;  // negative if the integer lowers the use
  };
  /// The sum of the terms is at most `room`: memory when a forward starts.
  struct Row {
    std::vector<Term> terms;
    double room = 0;
  };
  /// A node: longest paths between operations, and ranges of integers.
  struct Node {
    std::vector<double> paths;  // [from][to]; -infinity without a path
    std::vector<Range> ranges;  // by pair
  };

  /// A pair whose range is to be divided into integers below `lowest` and the
  /// others.
  struct Branch {
    int64_t pair = -1;  // -1: `integers`, those of the starts, are valid
    int64_t lowest = 0;
    bool isHighFirst = false;
    std::vector<int64_t> integers;  // by pair
  };

  void addRows(int64_t usedProcessor);
  int64_t pairOf(int64_t first, int64_t second) const {
    return pairs_[first * count_ + second];
  }
  Node rootAt(double period) const;
  /// Adds x[to] >= x[from] + distance. Returns false if no starts are left.
  bool addPath(Node& node, int64_t from, int64_t to, double distance) const;
  /// Tightens ranges and paths until nothing changes. Returns false if nothing
  /// is left.
  bool propagate(Node& node) const;
  bool tightenByPaths(Node& node, bool& isChanged) const;
  bool tightenByMemory(Node& node, bool& isChanged) const;
  /// Imposes both ends of the range of a pair on the paths.
  bool impose(Node& node, int64_t pair) const;
  /// Returns how to go on from the earliest starts of a node.
  Branch branchOf(const Node& node) const;
  Pattern patternOf(const std::vector<int64_t>& integers) const;
  bool descend(Node node);

  const StageCosts& costs_;
  const Allocation& allocation_;
  PatternOperations operations_;
  int64_t count_;
  std::vector<Pair> sharing_;   // all pairs
  std::vector<int64_t> pairs_;  // [first][second]: index in sharing_, or -1
  std::vector<Row> rows_;
  double bytesShort_ = 0;  // above 0 if not even the fixed bytes fit

  // Of the search that runs.
  double period_ = 0;
  int64_t nodesLeft_ = 0;
  std::optional<Pattern> found_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_PATTERNTREE_H_
