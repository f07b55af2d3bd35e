// Work that waits for work: how little time it can take all together.
//
// Nodes take time, and begin when those before them have ended. Some are of a
// worker, which does one at a time; in which order is open. So none of these
// can be beaten:
//
//   - the longest chain of nodes that wait for one another;
//   - for each worker: what comes before the first of its nodes at least, all
//     of its work, and what comes behind the last one at least.
//
// The second is what passes/schedule/Bounds.h says of tables; here work is of
// ops and transfers, as a program has them.

#ifndef PASSES_EXPLAIN_WORKGRAPH_H_
#define PASSES_EXPLAIN_WORKGRAPH_H_

#include <cstdint>
#include <vector>

namespace sbp {

class WorkGraph {
 public:
  static constexpr int64_t kNobody = -1;

  /// Adds a node that takes `seconds` of `worker`, or of nobody, behind those
  /// of `before`, which were added before; returns its number.
  int64_t add(double seconds, int64_t worker,
              const std::vector<int64_t>& before);

  double longestChain() const;

  /// The most of what the workers' bounds say; 0 if there is none.
  double workersBound() const;

 private:
  struct Node {
    double seconds = 0;
    int64_t worker = kNobody;
    double head = 0;  // so long takes what comes before, at least
  };
  struct Edge {
    int64_t from = 0, to = 0;
  };

  /// By node: so long takes what comes behind, at least.
  std::vector<double> tails() const;

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;  // by `to`, ascending
};

}  // namespace sbp

#endif  // PASSES_EXPLAIN_WORKGRAPH_H_
