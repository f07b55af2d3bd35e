// Pipes of a schedule that can be exchanged, with their workers, so that
// nothing changes: the two directions of Chimera, for example.

#ifndef PASSES_SCHEDULE_ORDER_PIPESYMMETRY_H_
#define PASSES_SCHEDULE_ORDER_PIPESYMMETRY_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/order/TaskGraph.h"

namespace sbp::schedule {

/// A permutation of queues and workers after which each queue has as many tasks
/// of the same stage and kind as before, and each worker as much room.
struct PipeMirror {
  std::vector<int64_t> queues, workers;
};

/// Permutations of a graph: the identity, and, for each class of micro-batches
/// whose pipe can take the place of the first one's, the exchange.
class PipeSymmetry {
 public:
  explicit PipeSymmetry(const TaskGraph& graph);

  const std::vector<PipeMirror>& mirrors() const { return mirrors_; }

 private:
  std::vector<PipeMirror> mirrors_;
};

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_ORDER_PIPESYMMETRY_H_
