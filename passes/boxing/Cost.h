// The cost of one step of a boxing.
//
// passes/cost/Collectives.h has the prices of collectives. Local steps (Slice,
// Pad, ToPartial) are free. Where parts are uneven, the size of the largest
// part determines the price.
//
// If a group spans several levels of the machine, one collective per axis is
// often cheaper than one over all axes. These alternatives are different paths,
// which Transitions.h compares.

#ifndef PASSES_BOXING_COST_H_
#define PASSES_BOXING_COST_H_

#include <optional>

#include "dialects/sbp/Network.h"
#include "passes/boxing/BoxingStep.h"
#include "passes/cost/Collectives.h"

namespace sbp {

/// Returns the seconds of one step over the mesh axes `axes`. `inputBytes` and
/// `resultBytes` are the largest local sizes of the tensor, over all ranks,
/// before and after the step. If both are smaller than `fullBytes`, the tensor
/// moves in a bucket of `fullBytes` bytes (fullBucketBytes in Collectives.h)
/// and pays its share of the bucket. Otherwise it moves alone.
double stepSeconds(StepKind kind, llvm::ArrayRef<int64_t> axes,
                   int64_t inputBytes, int64_t resultBytes, const Mesh& mesh,
                   double fullBytes = 0);

/// Returns the collective that does a step; nullopt for a local step.
std::optional<Collective> collectiveOf(StepKind kind);

/// Returns the largest local shape, over all ranks of `mesh`, of a tensor whose
/// whole shape is `shape`.
llvm::SmallVector<int64_t> largestLocalShape(
    llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Component> placement,
    const Mesh& mesh);

/// Returns the bytes of the part whose shape is largestLocalShape.
int64_t largestLocalBytes(llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                          llvm::ArrayRef<Component> placement,
                          const Mesh& mesh);

/// Returns `bytes` rounded up to the alignment of buffers in programs, 64
/// bytes.
int64_t alignedBytes(int64_t bytes);

}  // namespace sbp

#endif  // PASSES_BOXING_COST_H_
