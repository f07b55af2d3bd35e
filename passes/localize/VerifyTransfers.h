// The check that transfers between groups of ranks have both ends.

#ifndef PASSES_LOCALIZE_VERIFYTRANSFERS_H_
#define PASSES_LOCALIZE_VERIFYTRANSFERS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Verifies, for each rank.transfer and each entry of `module`: in a run of the
/// entry, each rank of the transfer's source group sends through it as often as
/// each rank of its target group receives. Fails with a diagnostic at a
/// transfer for which this does not hold. No function of the rank programs may
/// call itself, directly or indirectly.
LogicalResult verifyTransfers(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_VERIFYTRANSFERS_H_
