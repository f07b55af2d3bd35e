// Derives the placements of an op's results in a local program from the
// placements of its operands.

#ifndef PASSES_LOCALIZE_RESULTCOMPONENTS_H_
#define PASSES_LOCALIZE_RESULTCOMPONENTS_H_

#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "passes/localize/ComponentSet.h"
#include "passes/localize/InferredPlacement.h"

namespace sbp {

/// Returns, for each result of `op`, the components that it may have on mesh
/// axis number `axis`, named `axisName`. `op` computes with local tensors, and
/// its operands lie as `operands`. Returns the set of all components for a
/// result if local shapes do not show its components. Fails with a diagnostic
/// if the operands fit none of the op's signatures.
FailureOr<SmallVector<ComponentSet>> componentsOfResults(
    Operation* op, size_t axis, StringRef axisName,
    ArrayRef<InferredPlacement> operands);

/// Returns the components that the result of `op` may have on a mesh axis named
/// `axis`. `op` must be an op of the rank dialect that names this axis.
/// `operand` has the components that the operand may have there. Fails with a
/// diagnostic if none of them is the one that `op` expects. If nothing is known
/// about the operand (ComponentSet::isAny), assumes that a collective gets the
/// component that it expects.
FailureOr<ComponentSet> componentsAfter(Operation* op, StringRef axis,
                                        const ComponentSet& operand);

/// Fails with a diagnostic if `op` takes a mean but divides by a wrong number.
/// The right number counts the elements over which the mean is taken in the
/// whole operand, not in the rank's part of it. The operand lies as `operand`
/// on `mesh`; succeeds if `operand` leaves the placement open.
///
/// If `isEven`, all parts have equal sizes. Otherwise, parts of other ranks may
/// have one element more or less in each dimension, and any number to which
/// they can add up is accepted. In a function that is repeated for `times`
/// micro-batches, the number for all micro-batches is accepted too.
LogicalResult verifyCount(Operation* op, const InferredPlacement& operand,
                          const Mesh& mesh, bool isEven, int64_t times);

/// Returns the operand of `op` over whose elements a mean is taken; null if
/// `op` takes no mean.
mlir::OpOperand* countedOperand(Operation* op);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_RESULTCOMPONENTS_H_
