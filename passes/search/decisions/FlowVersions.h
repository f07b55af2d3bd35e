// The time and the memory of one flow.
//
// The placements in which a tensor is made and used determine its versions
// (passes/boxing/Versions.h); after each pin new versions begin. A version is
// boxed from another version just before the first op that uses it. It is in
// memory from there until it is last used: by an op, or to box another version
// from it.
//
//   made [S(0)] at op 2; op 4 wants [B], op 5 [S(0)], op 9 [B]
//
//   op            2   3   4   5   6   7   8   9
//   [S(0)]        |-----------|
//   [B]                   |-------------------|

#ifndef PASSES_SEARCH_DECISIONS_FLOWVERSIONS_H_
#define PASSES_SEARCH_DECISIONS_FLOWVERSIONS_H_

#include "passes/boxing/Versions.h"
#include "passes/search/decisions/Counting.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/decisions/Movements.h"

namespace sbp::search {

/// One version of a flow's tensor.
struct FlowVersion {
  double seconds = 0;           // of boxing it once
  double bytes = 0;             // of its own, on the busiest device
  int64_t first = 0, last = 0;  // ops
  bool isBoxed = false;         // whether it differs from the tensor as made
  /// Number of calls of the function for which it exists at once; 0 if it does
  /// not outlive a task of a pipeline (Frame::copiesOf).
  int64_t copies = 0;
  /// Placement of the version that this one is boxed from, and its own
  /// placement.
  PlacementTable::Number from = 0, placement = 0;
  TensorMovements* movements = nullptr;  // of the tensor

  /// Whether bytesBetween() counts the buffers between the steps of the boxing.
  bool isMovedInSteps = false;

  /// Returns the bytes of buffers between the steps of the boxing, which runs
  /// at `first`.
  double bytesBetween() const {
    return isMovedInSteps ? movements->bytesBetween(from, placement) : 0;
  }
};

/// The versions of a flow, for given placements.
class FlowVersions {
 public:
  using Number = PlacementTable::Number;

  FlowVersions(const DecisionGraph& graph, const Flow& flow,
               Movements& movements);

  /// Returns the versions. `placements` are those of the slot that makes the
  /// tensor, and then of its uses, in order. A version is in memory from
  /// `first` to `last`; if `last` is before `first`, it is not counted. If a
  /// version waits in a bucket for other tensors after its last use, a further
  /// version stands for its memory during this time.
  llvm::SmallVector<FlowVersion, 4> of(llvm::ArrayRef<Number> placements,
                                       Counting counting = Counting::Ample);

  /// Returns the seconds of all boxings in one step.
  double secondsOf(llvm::ArrayRef<Number> placements);

 private:
  /// A version in the making.
  struct Laid {
    FlowVersion version;
    size_t boxedFrom;  // index of another version
    bool hasOwnMemory;
    // Largest TensorMovements::partInBucket of its boxing and those from it.
    double partInBucket;
    int64_t certainFrom, certainUntil;  // ops
  };

  double seconds(int64_t from, int64_t to);
  Versions::Serving serve(Versions& versions, Number wanted);
  /// Returns the index of the version in placement `wanted` that is boxed from
  /// version `source` before `op`. The boxing takes `seconds`. Adds the version
  /// to `laid` if there is none like it yet; there may be one for uses after
  /// another pin.
  size_t box(llvm::SmallVectorImpl<Laid>& laid, size_t source, Number wanted,
             double seconds, int64_t op);

  const DecisionGraph& graph_;
  const Flow& flow_;
  TensorMovements& movements_;
  bool hasPin_;
};

/// Returns the seconds of all boxings in one step.
double secondsOf(const Flow& flow, llvm::ArrayRef<FlowVersion> versions);

/// Returns the bytes of a version while op `op` of the flow's function runs,
/// those for other calls of the function included. If `op` is -1, the function
/// does not run; then a version exists only if `isInPipeline`, for the calls
/// that wait.
double bytesAt(const FlowVersion& version, int64_t op, bool isInPipeline);

/// Returns the bytes of `version` for the calls of the flow's function that
/// wait, of which one may run.
inline double bytesHeld(const FlowVersion& version, bool oneRuns) {
  const int64_t waiting = version.copies - static_cast<int64_t>(oneRuns);
  return waiting > 0 ? static_cast<double>(waiting) * version.bytes : 0;
}

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_FLOWVERSIONS_H_
