// What a step of a boxing costs.
//
// passes/cost/Collectives.h has the prices of collectives; slices, pads and the
// making of terms are free. Parts may be uneven: the message is that of the
// largest part.
//
// Where a group spans several levels of the machine, going axis by axis is
// often cheaper; it is another path, which the table of transitions prices as
// such.

#ifndef PASSES_BOXING_COST_H_
#define PASSES_BOXING_COST_H_

#include <optional>

#include "dialects/sbp/Network.h"
#include "passes/boxing/Step.h"
#include "passes/cost/Collectives.h"

namespace sbp {

/// Seconds of one step over the mesh axes `axes`, for a tensor of `inputBytes`
/// on the rank that holds most before, and `resultBytes` on the one that holds
/// most after. In a bucket that is full with `fullBytes`, the tensor's part of
/// it.
double stepSeconds(StepKind kind, llvm::ArrayRef<int64_t> axes,
                   int64_t inputBytes, int64_t resultBytes, const Mesh& mesh,
                   double fullBytes = 0);

/// The collective that does a step; none does a local one.
std::optional<Collective> collectiveOf(StepKind kind);

/// The shape of the largest local part of a tensor of whole shape `shape`.
llvm::SmallVector<int64_t> largestLocalShape(
    llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Component> placement,
    const Mesh& mesh);

/// Bytes of the largest local part of a tensor of whole shape `shape`.
int64_t largestLocalBytes(llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                          llvm::ArrayRef<Component> placement,
                          const Mesh& mesh);

/// What a buffer of `bytes` bytes takes of a device: programs align them.
int64_t alignedBytes(int64_t bytes);

}  // namespace sbp

#endif  // PASSES_BOXING_COST_H_
