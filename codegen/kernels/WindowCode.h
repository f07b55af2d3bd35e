// The code that says what windows see.

#ifndef CODEGEN_KERNELS_WINDOWCODE_H_
#define CODEGEN_KERNELS_WINDOWCODE_H_

#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/WindowedShape.h"

namespace sbp {

class WindowCode {
 public:
  /// `first`: operands of an op, its first outputs in the dimensions
  /// `shape.firstIn`.
  WindowCode(KernelBuilder& builder, WindowedShape shape,
             llvm::ArrayRef<Place> first);

  const WindowedShape& shape() const { return shape_; }

  /// The input that element `k` of window `output` sees in dimension `dim` of
  /// space. If `mayMiss(dim)`, it may be padding, and negative.
  mlir::Value inputOf(size_t dim, mlir::Value output, mlir::Value k);

  /// An i1: whether that input is not padding.
  mlir::Value isInside(size_t dim, mlir::Value input);

  /// Where the op's outputs begin in dimension `dim`.
  mlir::Value firstOutput(size_t dim) const { return first_[dim]; }

 private:
  KernelBuilder& builder_;
  WindowedShape shape_;
  llvm::SmallVector<mlir::Value> first_;  // per dimension of space
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_WINDOWCODE_H_
