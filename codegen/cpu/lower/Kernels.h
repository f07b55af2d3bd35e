// The kernels of the nn dialect: one file for each family of ops.

#ifndef CODEGEN_CPU_LOWER_KERNELS_H_
#define CODEGEN_CPU_LOWER_KERNELS_H_

#include "mlir/IR/DialectRegistry.h"

namespace sbp::cpu {

/// Gives every computing op of the nn dialect its CpuKernelOpInterface.
void registerNnKernels(mlir::DialectRegistry& registry);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_KERNELS_H_
