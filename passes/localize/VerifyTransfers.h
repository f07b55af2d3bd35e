// The check that transfers between groups of ranks have both ends.

#ifndef PASSES_LOCALIZE_VERIFYTRANSFERS_H_
#define PASSES_LOCALIZE_VERIFYTRANSFERS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Fails, at a rank.transfer of `module`, if a run of an entry sends through it
/// on a rank of its source group another number of times than it receives on
/// one of its target group, or another rank of the same group does. Functions
/// of the rank programs do not recur.
LogicalResult verifyTransfers(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_VERIFYTRANSFERS_H_
