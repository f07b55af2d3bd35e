// A periodic pattern: when each operation of an allocation starts, over and
// over again.
//
// The operations of n stages, in the order in which a micro-batch passes them:
//
//   F0 X0 F1 X1 ... F(n-1) B(n-1) ... Y1 B1 Y0 B0
//
// Fs and Bs are the forward and backward of stage s; Xs and Ys carry the
// activation, and the gradient, between stages s and s + 1. Micro-batch m runs
// an operation at its start + m * period. An operation occupies a resource: the
// processor of its stage, or the link between two processors, which carries one
// tensor at a time, in either direction.

#ifndef PASSES_SEARCH_ALLOCATION_PATTERN_H_
#define PASSES_SEARCH_ALLOCATION_PATTERN_H_

#include <cstdint>
#include <vector>

#include "passes/search/allocation/Allocation.h"

namespace sbp::search {

/// A pattern, as described at the head of this file.
struct Pattern {
  Allocation allocation;
  double period = 0;           // milliseconds per micro-batch
  std::vector<double> starts;  // milliseconds, by operation, of micro-batch 0
};

/// The numbers of operations among those of `numStages` stages.
struct OperationNumbers {
  int64_t numStages = 0;

  int64_t count() const { return 4 * numStages - 2; }
  int64_t forward(int64_t stage) const { return 2 * stage; }
  int64_t backward(int64_t stage) const {
    return 4 * numStages - 3 - 2 * stage;
  }
  /// The transfers between `stage` and `stage` + 1.
  int64_t sendForward(int64_t stage) const { return 2 * stage + 1; }
  int64_t sendBackward(int64_t stage) const {
    return 4 * numStages - 4 - 2 * stage;
  }
};

/// The costs of a pattern.
struct PatternCost {
  double period = 0;
  std::vector<double> bytes;  // largest use of memory, by processor
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_PATTERN_H_
