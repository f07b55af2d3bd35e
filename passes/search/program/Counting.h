// How bytes are counted (Memory.h says it in full).

#ifndef PASSES_SEARCH_PROGRAM_COUNTING_H_
#define PASSES_SEARCH_PROGRAM_COUNTING_H_

#include "passes/search/program/DecisionGraph.h"

namespace sbp::search {

enum class Counting {
  Ample,   // each tensor in memory of its own
  Certain  // what no layout of buffers does without
};

/// What the members of a decision take in `state` beside flows.
inline const std::vector<double>& bytesOfMembers(const Decision::State& state,
                                                 Counting counting) {
  return counting == Counting::Ample ? state.workingBytes : state.certainBytes;
}

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_COUNTING_H_
