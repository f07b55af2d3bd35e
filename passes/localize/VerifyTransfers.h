// The check that transfers between groups of ranks have both ends.

#ifndef PASSES_LOCALIZE_VERIFYTRANSFERS_H_
#define PASSES_LOCALIZE_VERIFYTRANSFERS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Verifies that, in a run of an entry, all ranks of the source group of a
/// transfer send through it, and all ranks of the target group receive, equally
/// often. Fails with a diagnostic at a rank.transfer of `module` for which that
/// does not hold. Functions of the rank programs must not recur.
LogicalResult verifyTransfers(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_VERIFYTRANSFERS_H_
