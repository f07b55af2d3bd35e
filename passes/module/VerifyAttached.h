// The check of ops to which a plug-in attaches the interface of ops that
// compute.
//
// MLIR verifies an interface of the ops that declare it, and not of those to
// which it is attached as an external model.

#ifndef PASSES_MODULE_VERIFYATTACHED_H_
#define PASSES_MODULE_VERIFYATTACHED_H_

#include "dialects/support/LLVM.h"

namespace sbp {

/// Verifies the constraints of DistributedOpInterface on `root` and the ops
/// inside of it to which the interface is attached. Fails after an error at the
/// first op that breaks one.
LogicalResult verifyAttachedInterfaces(Operation* root);

}  // namespace sbp

#endif  // PASSES_MODULE_VERIFYATTACHED_H_
