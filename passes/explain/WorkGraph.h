// A graph of dependent work, and lower bounds on its total time.
//
// A node takes time, and starts when its predecessors have ended. A node may
// belong to a worker. A worker runs its nodes one at a time, in any order.
// Therefore no execution can be faster than
//
// - the longest chain of dependent nodes;
// - for each worker: (earliest possible start of any of its nodes)
//   + (total time of its nodes) + (shortest chain after any of its nodes).
//
// Bounds.h in passes/schedule has these bounds for tasks of a schedule. Here
// they are for the ops and transfers of a program.

#ifndef PASSES_EXPLAIN_WORKGRAPH_H_
#define PASSES_EXPLAIN_WORKGRAPH_H_

#include <cstdint>
#include <vector>

namespace sbp {

/// The graph. A node is added after its predecessors.
class WorkGraph {
 public:
  static constexpr int64_t kNoWorker = -1;

  /// Adds a node that takes `seconds` of `worker`, or of no worker if `worker`
  /// is kNoWorker. The node starts after the nodes with the indices `before`.
  /// Returns the index of the new node; indices start at 0.
  int64_t add(double seconds, int64_t worker,
              const std::vector<int64_t>& before);

  /// Returns the seconds of the longest chain of dependent nodes.
  double longestChain() const;

  /// Returns the largest bound over all workers, in seconds; 0 if no node has a
  /// worker.
  double workersBound() const;

 private:
  struct Node {
    double seconds = 0;
    int64_t worker = kNoWorker;
    double head = 0;  // earliest possible start, in seconds
  };
  struct Edge {
    int64_t from = 0, to = 0;
  };

  /// Returns, by node, the seconds of the longest chain that follows it.
  std::vector<double> tails() const;

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;  // ascending by `to`
};

}  // namespace sbp

#endif  // PASSES_EXPLAIN_WORKGRAPH_H_
