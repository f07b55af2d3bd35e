// The kernels of the nn dialect on CPUs. This folder has one file per family of
// ops that have a kernel of their own for CPUs. The kernels of other ops are
// written once for all targets (codegen/kernels/families).

#ifndef CODEGEN_CPU_LOWER_KERNELS_H_
#define CODEGEN_CPU_LOWER_KERNELS_H_

#include "mlir/IR/DialectRegistry.h"

namespace sbp::cpu {

/// Registers an extension that attaches CpuKernelOpInterface or
/// KernelOpInterface to the ops of the nn dialect that have kernels, when the
/// dialect is loaded.
void registerNnKernels(mlir::DialectRegistry& registry);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_KERNELS_H_
