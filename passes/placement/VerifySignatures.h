// Checks that ops accept their own signatures.

#ifndef PASSES_PLACEMENT_VERIFYSIGNATURES_H_
#define PASSES_PLACEMENT_VERIFYSIGNATURES_H_

#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Fails with a diagnostic at the first op of `module` that refuses one of its
/// own signatures on one mesh axis, which a plan may choose:
///
///   - its verifier and traits refuse the placed types, or the result types
///     that it infers depend on placements;
///   - the op on one rank, as buildLocal builds it, has other types than the
///     local ones, or its verifier refuses them. The axis has two devices, or
///     as many as make equal parts of a loop that is evenOnly.
///
/// Looks at the ops of plug-ins, and at the communicating signatures that they
/// add to other ops, once per name, attributes and types. All other signatures
/// of the project's ops are run by its tests.
LogicalResult verifySignatures(ModuleOp module);

/// Fails with a diagnostic at `op` in the first of these cases alone.
LogicalResult verifyPlacedTypes(DistributedOpInterface op);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_VERIFYSIGNATURES_H_
