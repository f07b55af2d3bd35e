// Checks that local programs compute what their attributes claim.

#ifndef PASSES_LOCALIZE_VERIFYLOCALPLACEMENTS_H_
#define PASSES_LOCALIZE_VERIFYLOCALPLACEMENTS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Derives the placements of the tensors in the rank programs of `module`
/// (InferredPlacement.h). Fails with a diagnostic
///
///   - at an op whose operands fit none of its signatures, for example because
///     a reduction of terms is missing;
///   - at a collective or local step whose operand does not have the component
///     that the op expects;
///   - at a tensor that is stored in a parameter, sent through a transfer, or
///     returned by an entry, if it does not lie as `rank.whole` or the transfer
///     says;
///   - at a mean that divides by a number other than the whole tensor's number
///     of elements.
///
/// If a placement cannot be derived, it is assumed to be right.
LogicalResult verifyLocalPlacements(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_VERIFYLOCALPLACEMENTS_H_
