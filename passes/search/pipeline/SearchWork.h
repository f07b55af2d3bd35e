// The work of a joint search, counted.

#ifndef PASSES_SEARCH_PIPELINE_SEARCHWORK_H_
#define PASSES_SEARCH_PIPELINE_SEARCHWORK_H_

#include <cstdint>

namespace sbp::search {

/// Numbers of steps that a search has made. They depend on the problem alone,
/// not on the machine or its load.
struct SearchWork {
  int64_t labels = 0;  // of suffixes of a pipe, before they are compared
  int64_t prices = 0;  // of runs of units, each by several prices of memory
  int64_t fronts = 0;  // ways to run a run of units, before comparison
  int64_t nodes = 0;   // of searches for plans
  int64_t tables = 0;  // simulated
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_SEARCHWORK_H_
