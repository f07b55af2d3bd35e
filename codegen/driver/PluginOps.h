// A quick check of the ops that a model has from plug-ins (codegen/check).

#ifndef CODEGEN_DRIVER_PLUGINOPS_H_
#define CODEGEN_DRIVER_PLUGINOPS_H_

#include <vector>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Returns the ops of `module` that can be distributed and for which `isWanted`
/// holds. Of several ops of one name and equal attributes, returns the first.
std::vector<Operation*> distinctOps(
    mlir::ModuleOp module, llvm::function_ref<bool(Operation*)> isWanted);

/// Runs a few cases of each op of `module` that belongs to a plug-in, to see
/// whether it keeps what it declares. Fails after an error at the first op that
/// does not. Warns of an op that cannot be checked.
LogicalResult checkPluginOps(mlir::ModuleOp module);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_PLUGINOPS_H_
