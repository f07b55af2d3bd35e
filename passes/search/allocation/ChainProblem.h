// The problem: train a chain of layers on equal processors, with the least
// period.
//
// The model is that of MadPipe (Beaumont, Eyraud-Dubois, Shilova, ScaDL 2022,
// section 3). Each pair of processors has a link of the same bandwidth. A
// pattern (Pattern.h) is valid if
//
// - each operation starts after the end of the one before it,
// - no two operations, of any micro-batches, occupy a resource at one time,
// - no processor needs more than its memory. For each of its stages it needs
//     3 bytes per byte of weights: two versions and a gradient,
//     2 bytes per byte that crosses an end of the stage, for messages,
//     the stage's stash for each micro-batch from the start of its forward to
//     the end of its backward: the input, and the outputs of all layers but the
//     last.

#ifndef PASSES_SEARCH_ALLOCATION_CHAINPROBLEM_H_
#define PASSES_SEARCH_ALLOCATION_CHAINPROBLEM_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "passes/search/allocation/LayerChain.h"
#include "passes/search/allocation/Pattern.h"

namespace sbp::search {

/// Part by which two times, or two numbers of bytes, may differ by rounding and
/// still count as equal.
inline constexpr double kRounding = 1e-9;

/// The problem, as described at the head of this file.
struct ChainProblem {
  LayerChain chain;
  int64_t processors = 0;
  double memory = 0;     // bytes per processor
  double bandwidth = 0;  // bytes per millisecond, of a link

  /// Returns the memory, and a little more: sums of bytes may differ by
  /// rounding if they are added in another order.
  double room() const { return memory * (1 + kRounding); }

  /// Fails if the chain is not sound, or a number is out of range.
  absl::Status check() const;

  /// Returns the cost of `pattern`. Fails, with the two facts that disagree, if
  /// the pattern is not valid. The problem must have passed check(). Counts
  /// micro-batches by their times, without any of the solvers' theory.
  absl::StatusOr<PatternCost> verify(const Pattern& pattern) const;
};

/// The largest number of processors that check() accepts.
inline constexpr int64_t kMaxProcessors = 1024;

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_CHAINPROBLEM_H_
