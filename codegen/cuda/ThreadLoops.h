// Parallel loops on a GPU, whose iterations are divided among threads.
//
// All threads of a launch run through all loops of a kernel, one loop after the
// other. In each loop a thread takes the iterations that its index selects:
//
//   over elements   a thread takes n adjacent elements of the innermost loop,
//                   where n elements of the widest type fill 16 bytes. This
//                   requires that in each tensor these elements are contiguous
//                   and aligned, or one broadcast element, and that n divides
//                   the extent of the innermost loop if there are several
//                   loops. Otherwise n is 1.
//   over rows       a warp takes a short row and a block a long one. If
//                   adjacent elements belong to different rows
//                   (RowShape::inner > 1, Rows.h), a thread takes n adjacent
//                   rows, where n elements fill 16 bytes, or one row if n does
//                   not divide `inner`.
//
// Elements of bf16 are converted to f32 when they are loaded, and back when
// they are stored.

#ifndef CODEGEN_CUDA_THREADLOOPS_H_
#define CODEGEN_CUDA_THREADLOOPS_H_

#include <cstdint>

#include "codegen/kernels/ParallelLoops.h"

namespace sbp::cuda {

/// Number of threads of every block, and of a warp.
inline constexpr int64_t kThreadsOfBlock = 256;
inline constexpr int64_t kThreadsOfWarp = 32;

/// Emits the loops of one launch.
class ThreadLoops : public ParallelLoops {
 public:
  /// Creates the loops of a launch that runs `numOps` ops with the same kernel
  /// at once. Block b of the launch computes op b mod numOps, as block
  /// b / numOps of that op.
  explicit ThreadLoops(int64_t numOps = 1) : numOps_(numOps) {}

  mlir::Type computeType(mlir::Type elementType) const override;

  void forEachElement(KernelBuilder& builder, llvm::ArrayRef<int64_t> extents,
                      llvm::ArrayRef<StridedTensor> inputs,
                      llvm::ArrayRef<StridedTensor> outputs,
                      Compute compute) override;

  void forEachRows(KernelBuilder& builder, RowShape shape, mlir::Type element,
                   llvm::function_ref<void(Rows&)> body) override;

  /// Emits code that executes `body` for the work items 0 ... count - 1.
  /// `threads` threads execute an item together: one thread, a warp or a block.
  /// `body` is called once (not at all if `count` is 0), and gets the number of
  /// the current thread's item. The code that it emits may have barriers only
  /// if `threads` is kThreadsOfBlock.
  void forEachItem(KernelBuilder& builder, int64_t count, int64_t threads,
                   llvm::function_ref<void(mlir::Value)> body);

  /// Returns the number of the op that the current block computes, from 0 on.
  mlir::Value opOfBlock(KernelBuilder& builder) const;

  /// Number of blocks of the launch that the loops so far need: at least one
  /// per op.
  int64_t numBlocks() const { return numOps_ * numBlocks_; }

 private:
  int64_t numOps_;
  int64_t numBlocks_ = 1;  // per op
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_THREADLOOPS_H_
