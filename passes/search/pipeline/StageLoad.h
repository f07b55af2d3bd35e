// The micro-batches and versions of weights that a worker keeps of a stage.

#ifndef PASSES_SEARCH_PIPELINE_STAGELOAD_H_
#define PASSES_SEARCH_PIPELINE_STAGELOAD_H_

#include <tuple>

#include "passes/search/pipeline/UnitOption.h"

namespace sbp::search {

/// The largest numbers that a worker keeps of a stage, in micro-batches
/// (schedule::StageSlots).
struct StageLoad {
  double inFlight = 1;
  double awaitingWeight = 0;  // between the halves of their backward
  double versions = 1;        // of weights

  /// Returns the bytes of a unit or stage under this load, without `transient`.
  template <typename Bytes>
  double bytesOf(const Bytes& of) const {
    return of.held + (versions - 1) * of.weights + inFlight * of.stash +
           awaitingWeight * of.residue;
  }

  bool operator==(const StageLoad& other) const {
    return std::tie(inFlight, awaitingWeight, versions) ==
           std::tie(other.inFlight, other.awaitingWeight, other.versions);
  }
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_STAGELOAD_H_
