// Relation between the inputs, outputs and window elements of an op with
// sliding windows. All are row-major linear indices over the dimensions of
// space: of an input plane, of an output plane, and of a window.

#ifndef CODEGEN_CUDA_LOWER_WINDOWPOINTS_H_
#define CODEGEN_CUDA_LOWER_WINDOWPOINTS_H_

#include "codegen/cuda/lower/Point.h"
#include "codegen/kernels/WindowCode.h"

namespace sbp::cuda {

/// Emits the code that finds the input of an output, or the output of an input,
/// at a position in the window. Outputs are those that the op computes: their
/// indices begin at its first output.
class WindowPoints {
 public:
  /// `first` has the operands with the indices of the op's first outputs, as in
  /// WindowCode.
  WindowPoints(KernelBuilder& builder, WindowedShape shape,
               llvm::ArrayRef<ElementRef> first)
      : builder_(builder), code_(builder, std::move(shape), first) {}

  const WindowedShape& shape() const { return code_.shape(); }

  /// Returns the input at `position` of the window of `output`. The point is
  /// invalid if it lies in padding.
  Point inputOf(mlir::Value output, mlir::Value position);

  /// Returns the output that has `input` at `position` of its window. The point
  /// is invalid if there is no such output.
  Point outputOf(mlir::Value input, mlir::Value position);

 private:
  KernelBuilder& builder_;
  WindowCode code_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_WINDOWPOINTS_H_
