// The cost of one step of a boxing.
//
// passes/cost/Collectives.h has the prices of collectives. Local steps (Slice,
// Pad, ToPartial) are free. Parts may be uneven: the largest part determines
// the message.
//
// If a group spans several levels of the machine, one collective per axis is
// often cheaper than one over all axes. Those are different paths, and
// Transitions.h compares them.

#ifndef PASSES_BOXING_COST_H_
#define PASSES_BOXING_COST_H_

#include <optional>

#include "dialects/sbp/Network.h"
#include "passes/boxing/BoxingStep.h"
#include "passes/cost/Collectives.h"

namespace sbp {

/// Returns the seconds of one step over the mesh axes `axes`. The tensor has
/// `inputBytes` before the step on the rank that then holds most of it, and
/// `resultBytes` after the step on the rank that then holds most. If both are
/// smaller than `fullBytes`, the tensor moves in a bucket of that size and pays
/// its share of the bucket.
double stepSeconds(StepKind kind, llvm::ArrayRef<int64_t> axes,
                   int64_t inputBytes, int64_t resultBytes, const Mesh& mesh,
                   double fullBytes = 0);

/// Returns the collective that does a step, or nothing for a local step.
std::optional<Collective> collectiveOf(StepKind kind);

/// Returns the largest local shape, over all ranks of `mesh`, of a tensor of
/// whole shape `shape`.
llvm::SmallVector<int64_t> largestLocalShape(
    llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Component> placement,
    const Mesh& mesh);

/// Returns the bytes of that largest local part.
int64_t largestLocalBytes(llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                          llvm::ArrayRef<Component> placement,
                          const Mesh& mesh);

/// Returns `bytes` rounded up to the alignment of buffers in programs, 64
/// bytes.
int64_t alignedBytes(int64_t bytes);

}  // namespace sbp

#endif  // PASSES_BOXING_COST_H_
