// The shapes of an op with sliding windows: convolution or pooling.

#ifndef CODEGEN_KERNELS_WINDOWEDSHAPE_H_
#define CODEGEN_KERNELS_WINDOWEDSHAPE_H_

#include <cstdint>

#include "dialects/nn/Nn.h"

namespace sbp {

/// The extents of an input [samples, channels, space...], of the windows that
/// slide over its dimensions of space, and of the outputs in space.
struct WindowedShape {
  int64_t samples = 0, channels = 0;
  llvm::SmallVector<int64_t> inputs;   // extents of the input in space
  llvm::SmallVector<int64_t> outputs;  // extents of the output in space
  nn::Windows windows;
  // Dimensions of space in which the op computes a part of the outputs. For
  // each of them, an operand of the op holds the index of the first output that
  // the op computes; in other dimensions that index is 0.
  llvm::SmallVector<int64_t> firstIn;

  /// Takes the shape of `op`. The windows slide over `input`, which is
  /// [samples, channels, space...]. `output` has one element per window and
  /// channel; its number of channels may differ from that of `input`.
  template <typename WindowOp>
  WindowedShape(WindowOp op, mlir::Value input, mlir::Value output)
      : WindowedShape(input, output, op.getWindows(),
                      op.getFirstIn().value_or(llvm::ArrayRef<int64_t>())) {}
  WindowedShape(mlir::Value input, mlir::Value output, nn::Windows windows,
                llvm::ArrayRef<int64_t> firstIn);

  /// Number of inputs, or outputs, in one plane: one channel of one sample.
  int64_t inputPoints() const;
  int64_t outputPoints() const;
  /// Number of elements of one window, and the extents of the window.
  int64_t windowPoints() const;
  llvm::SmallVector<int64_t> windowExtents() const;

  /// Number of outputs in a line, a row of outputs along the last dimension.
  int64_t lineLength() const { return outputs.back(); }
  /// Number of lines in one output plane, and in the output planes of one
  /// channel over all samples.
  int64_t linesPerSample() const;
  int64_t numLines() const { return samples * linesPerSample(); }

  /// Whether some window over the whole input covers padding in dimension `dim`
  /// of space.
  bool mayCoverPadding(size_t dim) const;
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_WINDOWEDSHAPE_H_
