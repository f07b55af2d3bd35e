// Two ways to count bytes (Memory.h explains them).

#ifndef PASSES_SEARCH_DECISIONS_COUNTING_H_
#define PASSES_SEARCH_DECISIONS_COUNTING_H_

#include "passes/search/decisions/DecisionGraph.h"

namespace sbp::search {

enum class Counting {
  Ample,   // each tensor has memory of its own
  Certain  // only what every layout of buffers needs
};

/// Returns, per member of a decision in `state`, the bytes that it needs beside
/// the tensors that flow.
inline const std::vector<double>& bytesOfMembers(const Decision::State& state,
                                                 Counting counting) {
  return counting == Counting::Ample ? state.workingBytes : state.certainBytes;
}

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_COUNTING_H_
