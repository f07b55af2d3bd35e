// What one flow takes: the movements of its tensor, and the memory.
//
// The placements in which a tensor is made and wanted decide which versions of
// it there are (passes/boxing/Versions.h), behind each pin anew. Each version
// is boxed from another one just before the first op that wants it, and is in
// memory from there to the last op that uses it, or boxes another version from
// it:
//
//   made [S(0)] at op 2; op 4 wants [B], op 5 [S(0)], op 9 [B]
//
//   op            2   3   4   5   6   7   8   9
//   [S(0)]        |-----------|
//   [B]                   |-------------------|

#ifndef PASSES_SEARCH_PROGRAM_FLOWVERSIONS_H_
#define PASSES_SEARCH_PROGRAM_FLOWVERSIONS_H_

#include "passes/boxing/Versions.h"
#include "passes/search/program/Counting.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Movements.h"

namespace sbp::search {

/// One version of a flow's tensor.
struct FlowVersion {
  double seconds = 0;           // of boxing it, once
  double bytes = 0;             // of its own, on the device that has most
  int64_t first = 0, last = 0;  // ops
  bool isBoxed = false;         // not as the tensor was made
  /// How the version that it is boxed from lies, and how it lies itself.
  PlacementTable::Number from = 0, placement = 0;
  TensorMovements* movements = nullptr;  // of the tensor

  /// Whether what lies between the steps of its boxing counts.
  bool isMovedInSteps = false;

  /// What lies between the steps of its boxing, while that runs at `first`.
  double bytesBetween() const {
    return isMovedInSteps ? movements->bytesBetween(from, placement) : 0;
  }
};

class FlowVersions {
 public:
  using Number = PlacementTable::Number;

  FlowVersions(const DecisionGraph& graph, const Flow& flow,
               Movements& movements);

  /// The versions, if `placements` are that of the making slot and those of the
  /// uses. They are in memory from first to last as bytes are counted; where
  /// the last comes before the first, not at all. What waits in a bucket for
  /// others, behind its own last use, is one more.
  llvm::SmallVector<FlowVersion, 4> of(llvm::ArrayRef<Number> placements,
                                       Counting counting = Counting::Ample);

  /// What boxing these takes in one step.
  double secondsOf(llvm::ArrayRef<Number> placements);

 private:
  struct Laid {
    FlowVersion version;
    size_t boxedFrom;  // another version
    bool hasOwnMemory;
    double partInBucket;                // of what it is boxed to, or from
    int64_t certainFrom, certainUntil;  // ops
  };

  double seconds(int64_t from, int64_t to);
  Versions::Serving serve(Versions& versions, Number wanted);
  /// The version that is boxed from `source` before op `op`, which takes
  /// `seconds`; there may be one already, made for another part.
  size_t box(llvm::SmallVectorImpl<Laid>& laid, size_t source, Number wanted,
             double seconds, int64_t op);

  const DecisionGraph& graph_;
  const Flow& flow_;
  TensorMovements& movements_;
  bool hasPin_;
};

/// Seconds of all boxings in one step.
double secondsOf(const Flow& flow, llvm::ArrayRef<FlowVersion> versions);

/// Bytes that a version takes while op `op` of the flow's function runs.
double bytesAt(const FlowVersion& version, int64_t op);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_FLOWVERSIONS_H_
