// Runs code that may crash, such as that of an op of a plug-in.

#ifndef CODEGEN_CHECK_RUNSAFELY_H_
#define CODEGEN_CHECK_RUNSAFELY_H_

#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp::check {

/// Runs `body`, and returns whether it ended without a crash. A crash ends the
/// process unless llvm::CrashRecoveryContext is enabled. After a crash,
/// diagnostics of `context` go to the handler that was current before.
bool runSafely(mlir::MLIRContext* context, llvm::function_ref<void()> body);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_RUNSAFELY_H_
