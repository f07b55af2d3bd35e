// The extents of an op with windows.

#ifndef CODEGEN_KERNELS_WINDOWEDSHAPE_H_
#define CODEGEN_KERNELS_WINDOWEDSHAPE_H_

#include <cstdint>

#include "dialects/nn/Nn.h"

namespace sbp {

/// The extents of an input [N, C, space...], of the windows that slide over it,
/// and of the outputs in space that they give.
struct WindowedShape {
  int64_t samples = 0, channels = 0;
  llvm::SmallVector<int64_t> inputs;   // in space
  llvm::SmallVector<int64_t> outputs;  // in space
  nn::Windows windows;
  // Dimensions of space in which operands say what the first output is; in the
  // others it is 0.
  llvm::SmallVector<int64_t> firstIn;

  /// The shape of `op`; `output` is its tensor with an element per window, of
  /// any channels.
  template <typename WindowOp>
  WindowedShape(WindowOp op, mlir::Value input, mlir::Value output)
      : WindowedShape(input, output, op.getWindows(),
                      op.getFirstIn().value_or(llvm::ArrayRef<int64_t>())) {}
  WindowedShape(mlir::Value input, mlir::Value output, nn::Windows windows,
                llvm::ArrayRef<int64_t> firstIn);

  /// Of one plane: a channel of a sample.
  int64_t inputPoints() const;
  int64_t outputPoints() const;
  /// Of one window.
  int64_t windowPoints() const;
  llvm::SmallVector<int64_t> windowExtents() const;

  /// Outputs of a line, and lines of a sample.
  int64_t lineLength() const { return outputs.back(); }
  int64_t linesPerSample() const;
  int64_t numLines() const { return samples * linesPerSample(); }

  /// Whether some window reaches into padding in dimension `dim` of space.
  bool mayMiss(size_t dim) const;
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_WINDOWEDSHAPE_H_
