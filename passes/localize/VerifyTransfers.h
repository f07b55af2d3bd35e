// Verifies that sends and receives of transfers between groups of ranks match.

#ifndef PASSES_LOCALIZE_VERIFYTRANSFERS_H_
#define PASSES_LOCALIZE_VERIFYTRANSFERS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Verifies each rank.transfer of `module` in each entry. In a run of the
/// entry, each rank of the source group must send through the transfer as often
/// as each rank of the target group receives. Fails with a diagnostic at a
/// transfer for which this does not hold. Functions of the rank programs must
/// not be recursive.
LogicalResult verifyTransfers(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_VERIFYTRANSFERS_H_
