// The local form of a model, for who looks into it.

#ifndef CODEGEN_DRIVER_LOCALFORM_H_
#define CODEGEN_DRIVER_LOCALFORM_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp {

/// The local form of `module`, which is in any form from the placed one on and
/// stays as it is. Null, without a diagnostic, if it has none.
mlir::OwningOpRef<ModuleOp> localFormOf(ModuleOp module);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_LOCALFORM_H_
