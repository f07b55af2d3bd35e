// The phases of the inputs, for the gradient of a convolution with strides.
//
// A position is the index of an element of a window. The windows of a strided
// convolution meet an input at some positions only: those for which
// input + low - position * dilation is a multiple of the stride.
//
//   extent 3, stride 2, low 0:    input       0     1   2     3   4
//                                 positions   0 2   1   0 2   1   0 2
//
// Every stride-th input is met at the same positions; such inputs form a phase.
// A kernel that loops over the inputs and positions of each phase computes no
// product in vain. A phase may have fewer inputs or positions than others, or
// no position at all.

#ifndef CODEGEN_CUDA_LOWER_WINDOWPHASES_H_
#define CODEGEN_CUDA_LOWER_WINDOWPHASES_H_

#include "codegen/cuda/lower/Point.h"
#include "codegen/kernels/WindowedShape.h"

namespace sbp::cuda {

class WindowPhases {
 public:
  explicit WindowPhases(const WindowedShape& shape);

  /// Number of phases, and greatest number of inputs and of positions of a
  /// phase.
  int64_t count() const;
  int64_t inputs() const;
  int64_t positions() const;

  /// Returns the linear index, among all inputs or all positions of a window,
  /// of number `index` in `phase`. The point is invalid if the phase has fewer.
  Point inputOf(KernelBuilder& builder, mlir::Value phase,
                mlir::Value index) const;
  Point positionOf(KernelBuilder& builder, mlir::Value phase,
                   mlir::Value index) const;

 private:
  /// One dimension of space. The number of a phase is its first input. Let
  /// remainder = (phase + low) mod stride. If `common` divides it, the first
  /// position of the phase is remainder / common * factor mod step, and the
  /// others follow in steps of `step`. Otherwise the phase has no position, and
  /// WindowPoints::outputOf finds no output at those that positionOf returns.
  struct Dimension {
    nn::Window window;
    int64_t input;   // extent of the input
    int64_t common;  // greatest common divisor of stride and dilation
    int64_t step;    // stride / common
    int64_t factor;  // inverse of dilation / common modulo step
  };

  llvm::SmallVector<int64_t> phaseExtents() const;
  llvm::SmallVector<int64_t> inputExtents() const;
  llvm::SmallVector<int64_t> positionExtents() const;

  llvm::SmallVector<Dimension> dims_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_WINDOWPHASES_H_
