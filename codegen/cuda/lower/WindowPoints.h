// Where windows stand, by numbers: the points of a plane, of its outputs, and
// of a window are each numbered in row-major order.

#ifndef CODEGEN_CUDA_LOWER_WINDOWPOINTS_H_
#define CODEGEN_CUDA_LOWER_WINDOWPOINTS_H_

#include "codegen/cuda/lower/Point.h"
#include "codegen/kernels/WindowCode.h"

namespace sbp::cuda {

class WindowPoints {
 public:
  /// Of `first`, see WindowCode.
  WindowPoints(KernelBuilder& builder, WindowedShape shape,
               llvm::ArrayRef<Place> first)
      : builder_(builder), code_(builder, std::move(shape), first) {}

  const WindowedShape& shape() const { return code_.shape(); }

  /// The input that `output` sees through `place` of its window, unless it is
  /// padding.
  Point inputOf(mlir::Value output, mlir::Value place);

  /// The output that sees `input` through `place` of its window, if one does.
  Point outputOf(mlir::Value input, mlir::Value place);

 private:
  KernelBuilder& builder_;
  WindowCode code_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_WINDOWPOINTS_H_
