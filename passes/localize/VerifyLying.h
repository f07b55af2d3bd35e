// The check that local programs make true what they say.

#ifndef PASSES_LOCALIZE_VERIFYLYING_H_
#define PASSES_LOCALIZE_VERIFYLYING_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Derives how the tensors of the rank programs of `module` lie (Lying.h), and
/// fails with a diagnostic
///
///   - at an op that no signature allows to compute from such operands: a
///     reduction of terms has been left out, say;
///   - at a collective of what its operand is not;
///   - where a parameter is set, a tensor sent, or an entry returns, to what
///     does not lie as `rank.whole`, or the transfer, says;
///   - at a mean that divides by another count than that of the whole tensor.
///
/// A placement that cannot be derived is taken to be right.
LogicalResult verifyLying(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_VERIFYLYING_H_
