// Derives the placements of an op's results in a local program from those of
// its operands.

#ifndef PASSES_LOCALIZE_RESULTCOMPONENTS_H_
#define PASSES_LOCALIZE_RESULTCOMPONENTS_H_

#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "passes/localize/ComponentSet.h"
#include "passes/localize/InferredPlacement.h"

namespace sbp {

/// Returns the components that the results of `op`, which computes with local
/// tensors, may have on mesh axis number `axis`, named `axisName`, if its
/// operands are placed as `operands`. Where local shapes do not show the
/// components of a result, it may have any. Fails with a diagnostic if no
/// signature of the op has such operands.
FailureOr<SmallVector<ComponentSet>> componentsOfResults(
    Operation* op, size_t axis, StringRef axisName,
    ArrayRef<InferredPlacement> operands);

/// Returns how the result of `op`, an op of the rank dialect that names mesh
/// axes, may lie on one of those axes, named `axis`, if its operand lies as
/// `operand`. Fails with a diagnostic if `op` cannot take such an operand.
FailureOr<ComponentSet> componentsAfter(Operation* op, StringRef axis,
                                        const ComponentSet& operand);

/// Fails with a diagnostic if a mean in `op` divides by another number than the
/// count of elements of its whole operand, which lies as `operand` on `mesh`.
/// Succeeds if `operand` leaves the placement open. `isEven` says that parts
/// have equal sizes; otherwise any count that the other parts could add up to
/// is accepted. In a body that is repeated for `times` micro-batches, the count
/// of all micro-batches is accepted, too.
LogicalResult verifyCount(Operation* op, const InferredPlacement& operand,
                          const Mesh& mesh, bool isEven, int64_t times);

/// Returns the operand of `op` whose elements a mean counts; null if `op` has
/// no mean.
mlir::OpOperand* countedOperand(Operation* op);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_RESULTCOMPONENTS_H_
