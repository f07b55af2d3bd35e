// Makes the local form of a model, for reports about it.

#ifndef CODEGEN_DRIVER_LOCALFORM_H_
#define CODEGEN_DRIVER_LOCALFORM_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp {

/// Returns the local form of `module`, which is in any form from the placed one
/// on and stays as it is. Returns null, and drops the diagnostics, if a pass
/// fails.
mlir::OwningOpRef<ModuleOp> localFormOf(ModuleOp module);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_LOCALFORM_H_
