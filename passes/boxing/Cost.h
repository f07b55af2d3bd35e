// The cost of one step of a boxing.
//
// passes/cost/Collectives.h has the prices of collectives; slices, pads and
// making a tensor Partial are free. Parts may be uneven: the largest part
// determines the message.
//
// Where a group spans several levels of the machine, going axis by axis is
// often cheaper. That is a different path, which the table of transitions
// prices as such.

#ifndef PASSES_BOXING_COST_H_
#define PASSES_BOXING_COST_H_

#include <optional>

#include "dialects/sbp/Network.h"
#include "passes/boxing/BoxingStep.h"
#include "passes/cost/Collectives.h"

namespace sbp {

/// Returns the seconds of one step over the mesh axes `axes`. The tensor has
/// `inputBytes` before the step on the rank that then holds most of it, and
/// `resultBytes` after the step on the rank that then holds most. If the tensor
/// is smaller than `fullBytes`, it moves in a bucket of that size and pays
/// its share of the bucket.
double stepSeconds(StepKind kind, llvm::ArrayRef<int64_t> axes,
                   int64_t inputBytes, int64_t resultBytes, const Mesh& mesh,
                   double fullBytes = 0);

/// Returns the collective that does a step; none for a local step.
std::optional<Collective> collectiveOf(StepKind kind);

/// Returns the shape of the largest local part of a tensor of whole shape
/// `shape`.
llvm::SmallVector<int64_t> largestLocalShape(
    llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Component> placement,
    const Mesh& mesh);

/// Returns the bytes of the largest local part of a tensor of whole shape
/// `shape`.
int64_t largestLocalBytes(llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                          llvm::ArrayRef<Component> placement,
                          const Mesh& mesh);

/// Returns the bytes that a buffer of `bytes` bytes takes on a device, where
/// programs align buffers.
int64_t alignedBytes(int64_t bytes);

}  // namespace sbp

#endif  // PASSES_BOXING_COST_H_
