// The dialects in which kernels are written and lowered.

#ifndef CODEGEN_KERNELS_KERNELDIALECTS_H_
#define CODEGEN_KERNELS_KERNELDIALECTS_H_

#include "mlir/IR/DialectRegistry.h"

namespace sbp {

/// Registers the dialects of MLIR in which kernels are written, and the
/// dialects to which they are lowered.
void registerKernelDialects(mlir::DialectRegistry& registry);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_KERNELDIALECTS_H_
