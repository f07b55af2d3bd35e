// Placements of the results of one op of a local program, derived from those of
// its operands.

#ifndef PASSES_LOCALIZE_OPLYING_H_
#define PASSES_LOCALIZE_OPLYING_H_

#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "passes/localize/Lying.h"

namespace sbp {

/// Returns how the results of `op`, which computes with local tensors, lie on
/// axis `axis` of the mesh, called `axisName`, where its operands lie as
/// `operands`. Fails with a diagnostic if no signature of the op has those.
FailureOr<SmallVector<Choice>> lyingOfResults(Operation* op, size_t axis,
                                              StringRef axisName,
                                              ArrayRef<Lying> operands);

/// Returns how the result of `op`, an op of the rank dialect that names axes,
/// lies on one of these, where its operand lies as `operand`. Fails with a
/// diagnostic if the operand is not what the op takes.
FailureOr<Choice> lyingAfter(Operation* op, StringRef axis,
                             const Choice& operand);

/// Fails at a mean in `op` that divides by another count than its operand has
/// elements in all, if that lies as `operand` on `mesh`. Where parts differ in
/// size (`isEven` says they do not), a count that they could have is right. In
/// what is repeated for `times` micro-batches, it may be the count of all.
LogicalResult verifyCount(Operation* op, const Lying& operand, const Mesh& mesh,
                          bool isEven, int64_t times);

/// Returns the operand of `op` whose elements a mean in it counts; null if
/// there is no mean.
mlir::OpOperand* countedOperand(Operation* op);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_OPLYING_H_
