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
/// operands are placed as `operands`. Returns the set of all components for a
/// result whose components the local shapes do not show. Fails with a
/// diagnostic if the operands fit none of the op's signatures.
FailureOr<SmallVector<ComponentSet>> componentsOfResults(
    Operation* op, size_t axis, StringRef axisName,
    ArrayRef<InferredPlacement> operands);

/// Returns the components that the result of `op`, an op of the rank dialect
/// that names mesh axes, may have on one of those axes, named `axis`, if its
/// operand has one of `operand` there. Fails with a diagnostic if `op` cannot
/// take such an operand. An operand of which nothing is known passes: a
/// collective is assumed to get what it expects.
FailureOr<ComponentSet> componentsAfter(Operation* op, StringRef axis,
                                        const ComponentSet& operand);

/// Fails with a diagnostic if a mean in `op` divides by another number than the
/// count of elements over which the mean of the whole operand is taken. The
/// operand lies as `operand` on `mesh`; succeeds if `operand` leaves the
/// placement open. If `isEven`, all parts have equal sizes. If not, parts of
/// other ranks may have one element more or less in each dimension, and any
/// count to which they can add up is accepted. In a body that is repeated for
/// `times` micro-batches, the count of all micro-batches is accepted too.
LogicalResult verifyCount(Operation* op, const InferredPlacement& operand,
                          const Mesh& mesh, bool isEven, int64_t times);

/// Returns the operand of `op` over whose elements a mean is taken, or null if
/// `op` takes no mean.
mlir::OpOperand* countedOperand(Operation* op);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_RESULTCOMPONENTS_H_
