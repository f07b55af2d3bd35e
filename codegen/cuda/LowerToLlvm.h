// From the gpu dialect to LLVM's.
//
// Kernels are functions of bare pointers; indices have 64 bits. Nothing of
// NVIDIA's device library is called: what a GPU has no instruction for is
// approximated by our own code (codegen/kernels/ApproximateMath.h).

#ifndef CODEGEN_CUDA_LOWERTOLLVM_H_
#define CODEGEN_CUDA_LOWERTOLLVM_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sbp::cuda {

/// Lowers `kernels`, of the dialects gpu, scf, arith, math, memref and vector,
/// in place to the dialects llvm and nvvm. Fails with a diagnostic where that
/// is not possible.
LogicalResult lowerToLlvm(mlir::gpu::GPUModuleOp kernels);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWERTOLLVM_H_
