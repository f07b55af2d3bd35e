// Verifies that ops accept their own signatures.

#ifndef PASSES_PLACEMENT_VERIFYSIGNATURES_H_
#define PASSES_PLACEMENT_VERIFYSIGNATURES_H_

#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Fails with a diagnostic at the first op of `module` that does not accept one
/// of its own signatures on one mesh axis. A plan may choose any of them. There
/// are two cases:
///
///   - the verifier or traits of the op refuse the placed types, or the result
///     types that the op infers depend on placements;
///   - the op on one rank, as buildLocal builds it, does not have the local
///     types, or its verifier refuses them. The axis has two devices, or,
///     for a loop that is evenOnly, the least number that makes equal parts.
///
/// Verifies each combination of name, attributes and types once. Considers the
/// ops of plug-ins, and communicating signatures that plug-ins add to other
/// ops. The project's tests run all other signatures of the project's ops.
LogicalResult verifySignatures(ModuleOp module);

/// Fails with a diagnostic at `op` in the first of these two cases.
LogicalResult verifyPlacedTypes(DistributedOpInterface op);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_VERIFYSIGNATURES_H_
