// The dialects in which kernels are written and lowered.

#ifndef CODEGEN_KERNELS_KERNELDIALECTS_H_
#define CODEGEN_KERNELS_KERNELDIALECTS_H_

#include "mlir/IR/DialectRegistry.h"

namespace sbp {

/// Registers MLIR's dialects that a kernel consists of at any time, from its
/// loops to LLVM's instructions.
void registerKernelDialects(mlir::DialectRegistry& registry);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_KERNELDIALECTS_H_
