// An allocation of a chain's layers to processors (LayerChain.h).
//
//   layers       0 1 2 3 4 5 6 7
//   processors   0 0 1 1 1 0 2 2      4 stages: 0-1, 2-4, 5, 6-7
//
// A stage is a longest run of neighbouring layers of one processor. So two
// neighbouring stages are on different processors. An allocation is contiguous
// if no processor has two stages.

#ifndef PASSES_SEARCH_ALLOCATION_ALLOCATION_H_
#define PASSES_SEARCH_ALLOCATION_ALLOCATION_H_

#include <cstdint>
#include <vector>

namespace sbp::search {

/// The layers begin, ..., end - 1 on one processor.
struct AllocatedStage {
  int64_t begin = 0, end = 0;
  int64_t processor = 0;
};

inline bool operator==(const AllocatedStage& a, const AllocatedStage& b) {
  return a.begin == b.begin && a.end == b.end && a.processor == b.processor;
}

/// The stages of an allocation, from the first layers to the last.
using Allocation = std::vector<AllocatedStage>;

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_ALLOCATION_H_
