// Index arithmetic of the sliding windows of convolution and pooling.

#ifndef CODEGEN_KERNELS_WINDOWCODE_H_
#define CODEGEN_KERNELS_WINDOWCODE_H_

#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/WindowedShape.h"

namespace sbp {

/// Emits the code that computes the indices of the inputs that a window covers,
/// in each dimension of space on its own. Indices of outputs count from the
/// op's first output.
class WindowCode {
 public:
  /// `first` has an operand of the op for each dimension in `shape.firstIn`: a
  /// scalar, the index of the op's first output in that dimension.
  WindowCode(KernelBuilder& builder, WindowedShape shape,
             llvm::ArrayRef<ElementRef> first);

  const WindowedShape& shape() const { return shape_; }

  /// Returns the index of the input at element `k` of the window of `output`,
  /// in dimension `dim` of space. If shape().mayCoverPadding(dim), the index
  /// may lie in the padding: negative, or beyond the last input.
  mlir::Value inputOf(size_t dim, mlir::Value output, mlir::Value k);

  /// Returns an i1: whether index `input`, in dimension `dim` of space, lies in
  /// the input, not in the padding.
  mlir::Value isInside(size_t dim, mlir::Value input);

  /// Index of the op's first output among all outputs, in dimension `dim` of
  /// space. It is 0 unless the op computes only a part of the outputs there.
  mlir::Value firstOutput(size_t dim) const { return first_[dim]; }

 private:
  KernelBuilder& builder_;
  WindowedShape shape_;
  llvm::SmallVector<mlir::Value> first_;  // first output, by dimension of space
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_WINDOWCODE_H_
