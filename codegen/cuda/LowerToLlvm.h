// Lowers kernels from the gpu dialect to the llvm dialect.
//
// A kernel becomes a function of bare pointers. Indices have 64 bits, or 32
// where MLIR can prove that all their values fit. NVIDIA's device library is
// not called: exp, log, tanh and erf become polynomials
// (codegen/kernels/ApproximateMath.h).

#ifndef CODEGEN_CUDA_LOWERTOLLVM_H_
#define CODEGEN_CUDA_LOWERTOLLVM_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sbp::cuda {

/// Lowers `kernels` in place, from the dialects gpu, scf, arith, math, memref
/// and vector to llvm and nvvm. Fails with a diagnostic at an op that cannot be
/// lowered.
LogicalResult lowerToLlvm(mlir::gpu::GPUModuleOp kernels);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWERTOLLVM_H_
