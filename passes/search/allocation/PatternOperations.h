// The operations of an allocation: durations, and who shares a resource.

#ifndef PASSES_SEARCH_ALLOCATION_PATTERNOPERATIONS_H_
#define PASSES_SEARCH_ALLOCATION_PATTERNOPERATIONS_H_

#include <cstdint>
#include <vector>

#include "passes/search/allocation/Pattern.h"
#include "passes/search/allocation/StageCosts.h"

namespace sbp::search {

/// The operations of `allocation`, numbered as in Pattern.h.
struct PatternOperations {
  OperationNumbers numbers;
  std::vector<double> durations;  // milliseconds, by operation
  /// Operations of each resource that is used, in the order of their numbers.
  /// The resources that are processors come first.
  std::vector<std::vector<int64_t>> resources;
  /// Stages of each processor that is used, in order, and the processor.
  std::vector<std::vector<int64_t>> stages;
  std::vector<int64_t> processors;

  /// Returns the busiest resource's milliseconds per micro-batch.
  double busiest() const;
};

PatternOperations operationsOf(const StageCosts& costs,
                               const Allocation& allocation);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_PATTERNOPERATIONS_H_
