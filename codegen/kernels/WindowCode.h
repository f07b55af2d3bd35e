// Index arithmetic of sliding windows, as convolution and pooling have them.

#ifndef CODEGEN_KERNELS_WINDOWCODE_H_
#define CODEGEN_KERNELS_WINDOWCODE_H_

#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/WindowedShape.h"

namespace sbp {

/// Emits the code that computes which element of the input a window covers. All
/// indices count in one dimension of space.
class WindowCode {
 public:
  /// `first` has an operand of the op for each dimension in `shape.firstIn`: a
  /// scalar with the index of the op's first output there.
  WindowCode(KernelBuilder& builder, WindowedShape shape,
             llvm::ArrayRef<ElementRef> first);

  const WindowedShape& shape() const { return shape_; }

  /// Returns the index of the input under element `k` of the window of
  /// `output`, in dimension `dim` of space. If `mayMiss(dim)`, the index may be
  /// outside of the input, in the padding, and negative.
  mlir::Value inputOf(size_t dim, mlir::Value output, mlir::Value k);

  /// Returns whether index `input` is inside of the input, not in the padding;
  /// an i1.
  mlir::Value isInside(size_t dim, mlir::Value input);

  /// Index of the op's first output in dimension `dim`, among the outputs of
  /// the whole tensor of which the op may compute a part.
  mlir::Value firstOutput(size_t dim) const { return first_[dim]; }

 private:
  KernelBuilder& builder_;
  WindowedShape shape_;
  llvm::SmallVector<mlir::Value> first_;  // first output, by dimension of space
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_WINDOWCODE_H_
