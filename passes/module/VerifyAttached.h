// Verifies DistributedOpInterface on ops to which a plug-in attaches it.
//
// MLIR verifies an interface on ops that declare it. It does not verify an
// interface that is attached to an op as an external model.

#ifndef PASSES_MODULE_VERIFYATTACHED_H_
#define PASSES_MODULE_VERIFYATTACHED_H_

#include "dialects/support/LLVM.h"

namespace sbp {

/// Verifies the constraints of DistributedOpInterface on all ops inside `root`,
/// `root` included, to which the interface is attached. Fails, with an error,
/// at the first op that breaks a constraint.
LogicalResult verifyAttachedInterfaces(Operation* root);

}  // namespace sbp

#endif  // PASSES_MODULE_VERIFYATTACHED_H_
