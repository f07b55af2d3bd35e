// Inputs in the gradient of a convolution with strides.
//
// An input is seen through some places of windows only, those for which
// input + low - place * dilation is a multiple of the stride:
//
//   extent 3, stride 2, low 0:    input     0     1   2     3   4
//                                 places   0 2    1  0 2    1  0 2
//
// Every stride-th input is seen through the same places: these inputs are a
// phase. Inputs and places are numbered in each phase, so that none is met in
// vain. A phase may have fewer of them than others, or no places at all.

#ifndef CODEGEN_CUDA_LOWER_WINDOWPHASES_H_
#define CODEGEN_CUDA_LOWER_WINDOWPHASES_H_

#include "codegen/cuda/lower/Point.h"
#include "codegen/kernels/WindowedShape.h"

namespace sbp::cuda {

class WindowPhases {
 public:
  explicit WindowPhases(const WindowedShape& shape);

  /// How many phases there are, and inputs and places of each, at most.
  int64_t count() const;
  int64_t inputs() const;
  int64_t places() const;

  /// Input or place number `index` of a phase, in row-major order of all, if
  /// the phase has so many.
  Point inputOf(KernelBuilder& builder, mlir::Value phase,
                mlir::Value index) const;
  Point placeOf(KernelBuilder& builder, mlir::Value phase,
                mlir::Value index) const;

 private:
  /// A dimension of space. A phase is the number of its first input; with the
  /// remainder of that + low by the stride, the first of its places is
  /// remainder / common * factor, modulo `step`, and the next are `step` apart.
  /// A phase whose remainder `common` does not divide has none.
  struct Dimension {
    nn::Window window;
    int64_t input;   // extent
    int64_t common;  // the greatest common divisor of stride and dilation
    int64_t step;    // stride / common
    int64_t factor;  // dilation / common * factor is 1, modulo step
  };

  llvm::SmallVector<int64_t> phaseExtents() const;
  llvm::SmallVector<int64_t> inputExtents() const;
  llvm::SmallVector<int64_t> placeExtents() const;

  llvm::SmallVector<Dimension> dims_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_WINDOWPHASES_H_
