// A graph of dependent work, and lower bounds on its total time.
//
// A node takes time, and starts when its predecessors have ended. Some nodes
// belong to a worker, which does one at a time in any order. No execution can
// therefore be faster than
//
// - the longest chain of dependent nodes;
// - for each worker, the sum of the least time before any of its nodes, all of
//   its own work, and the least time after any of its nodes.
//
// passes/schedule/Bounds.h has the second bound for tables of a schedule; here
// the work is ops and transfers of a program.

#ifndef PASSES_EXPLAIN_WORKGRAPH_H_
#define PASSES_EXPLAIN_WORKGRAPH_H_

#include <cstdint>
#include <vector>

namespace sbp {

/// The graph; nodes are added after their predecessors.
class WorkGraph {
 public:
  static constexpr int64_t kNoWorker = -1;

  /// Adds a node that takes `seconds` of `worker`, or of kNoWorker, after the
  /// nodes `before`, which must have been added already. Returns the new node's
  /// number.
  int64_t add(double seconds, int64_t worker,
              const std::vector<int64_t>& before);

  /// Returns the seconds of the longest chain of dependent nodes.
  double longestChain() const;

  /// Returns the largest of the workers' bounds; 0 if there is none.
  double workersBound() const;

 private:
  struct Node {
    double seconds = 0;
    int64_t worker = kNoWorker;
    double head = 0;  // least seconds before the node can start
  };
  struct Edge {
    int64_t from = 0, to = 0;
  };

  /// Returns, by node, the least seconds of work that follow it.
  std::vector<double> tails() const;

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;  // ascending by `to`
};

}  // namespace sbp

#endif  // PASSES_EXPLAIN_WORKGRAPH_H_
