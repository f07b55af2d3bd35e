// Divides the inputs of a strided convolution into phases. The inputs of a
// phase are read at the same positions of the window. The gradient of the input
// is computed phase by phase.
//
// A position is the index of an element of the window. Output o reads input
// o * stride + position * dilation - low, where low is the padding in front. So
// an input is read only at positions for which
// input + low - position * dilation is a multiple of the stride.
//
//   window of 3, stride 2, no padding:   input       0     1   2     3   4
//                                        positions   0 2   1   0 2   1   0 2
//
// Every stride-th input has the same positions; these inputs are one phase. A
// phase may have fewer inputs or positions than others, or no position at all.
//
// A kernel that runs phase by phase skips the products that the stride rules
// out. It still computes, with an operand of zeros, the products with an output
// beyond the border, and those of a phase that has no position.

#ifndef CODEGEN_CUDA_LOWER_WINDOWPHASES_H_
#define CODEGEN_CUDA_LOWER_WINDOWPHASES_H_

#include "codegen/cuda/lower/Point.h"
#include "codegen/kernels/WindowedShape.h"

namespace sbp::cuda {

/// Emits the indices of the inputs and positions of each phase.
class WindowPhases {
 public:
  explicit WindowPhases(const WindowedShape& shape);

  /// Number of phases.
  int64_t numPhases() const;
  /// Largest number of inputs of a phase.
  int64_t maxInputs() const;
  /// Largest number of positions of a phase.
  int64_t maxPositions() const;

  /// Returns input number `index` of phase number `phase`, as a linear index
  /// over the whole plane (Point.h). The point is invalid if the phase has
  /// fewer inputs.
  Point inputOf(KernelBuilder& builder, mlir::Value phase,
                mlir::Value index) const;
  /// Returns position number `index` of phase number `phase`, as a linear index
  /// over the whole window. The point is invalid if `index` is beyond the last
  /// position of the phase. If the phase has no position, the point may still
  /// be valid, but WindowPoints::outputOf then finds no output for it.
  Point positionOf(KernelBuilder& builder, mlir::Value phase,
                   mlir::Value index) const;

 private:
  /// One dimension of space, in which phase p begins at input p. Let
  /// remainder = (p + low) mod stride. If `common` divides the remainder, the
  /// first position of the phase is ((remainder / common) * factor) mod step,
  /// and the next ones follow at a distance of `step`. Otherwise the phase has
  /// no position.
  struct Dimension {
    nn::Window window;
    int64_t input;   // extent of the input
    int64_t common;  // greatest common divisor of stride and dilation
    int64_t step;    // stride / common
    int64_t factor;  // inverse of dilation / common modulo step
  };

  /// Number of phases, and largest numbers of inputs and positions of a phase,
  /// by dimension of space.
  llvm::SmallVector<int64_t> phaseExtents() const;
  llvm::SmallVector<int64_t> inputExtents() const;
  llvm::SmallVector<int64_t> positionExtents() const;

  llvm::SmallVector<Dimension> dims_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_WINDOWPHASES_H_
