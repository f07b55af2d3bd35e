// Parallel loops on a GPU: a thread for some of the iterations.
//
// All threads of a launch go through all loops of a kernel, one behind the
// other, and each takes of each loop what its number says:
//
//   over elements   16 bytes of the innermost loop, where these lie side by
//                   side in every tensor; else one element
//   over rows       a warp per short row, a block per long one; where rows lie
//                   side by side, a thread for some neighbours
//
// Kernels compute in f32 what lies in memory as bf16.

#ifndef CODEGEN_CUDA_THREADLOOPS_H_
#define CODEGEN_CUDA_THREADLOOPS_H_

#include <cstdint>

#include "codegen/kernels/ParallelLoops.h"

namespace sbp::cuda {

/// Of each block.
inline constexpr int64_t kThreadsOfBlock = 256;
inline constexpr int64_t kThreadsOfWarp = 32;

class ThreadLoops : public ParallelLoops {
 public:
  void forEachElement(KernelBuilder& builder, llvm::ArrayRef<int64_t> extents,
                      llvm::ArrayRef<StridedTensor> inputs,
                      llvm::ArrayRef<StridedTensor> outputs,
                      Compute compute) override;

  void forEachRows(KernelBuilder& builder, RowShape shape, mlir::Type element,
                   llvm::function_ref<void(Rows&)> body) override;

  /// Emits `body` for as many numbers, from 0, as `count` says, a thread for
  /// each, or a warp or a block: so many threads as `threads` says.
  void forNumbers(KernelBuilder& builder, int64_t count, int64_t threads,
                  llvm::function_ref<void(mlir::Value)> body);

  /// So many blocks the loops so far take; one at least.
  int64_t numBlocks() const { return numBlocks_; }

 private:
  int64_t numBlocks_ = 1;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_THREADLOOPS_H_
