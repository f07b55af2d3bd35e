// The kernels of the nn dialect that are written once for all targets. This
// folder has one file per family of ops.

#ifndef CODEGEN_KERNELS_FAMILIES_PORTABLEKERNELS_H_
#define CODEGEN_KERNELS_FAMILIES_PORTABLEKERNELS_H_

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp {

/// Attaches KernelOpInterface or ElementwiseOpInterface to the ops of the nn
/// dialect that have such a kernel.
void attachPortableKernels(mlir::MLIRContext& context);

/// Makes each context of `registry` call attachPortableKernels() when it loads
/// the nn dialect. Tools that make no kernels need this too, since passes ask
/// which ops are element-wise.
void registerPortableKernels(mlir::DialectRegistry& registry);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_FAMILIES_PORTABLEKERNELS_H_
