// Turns a convolution into matrix products (im2col): its windows are the
// columns of a matrix.
//
// A column has all inputs in the window of one output: an element for each
// channel and each position in the window, K in all. There are F filters, and P
// outputs per filter, over all samples. With the filters as rows,
//
//   output = filter * columns             [F, K] * [K, P]
//   d columns = filter^T * d output       [K, F] * [F, P]
//   d filter = d output * columns^T       [F, P] * [P, K]
//
// and all three are contractions. With stride 1 the whole matrix is about as
// many times larger than the input as a window has elements, too much to be
// stored. So only a block of it exists at a time, small enough to stay in the
// caches. A block has the columns of a few lines of outputs (a line is a row of
// outputs along the last dimension, WindowRuns.h), and the rows of some
// channels.
//
//   unfold (im2col)   input -> columns   copies; zeros for padding
//   fold (col2im)     columns -> input   adds each element to the input that
//                                        unfold copied it from; padding is
//                                        dropped
//
// `takeLines` copies the outputs of a block's lines into a matrix [F, width()],
// and `putLines` copies them back. The last block may reach beyond the last
// line; its columns are zeros there.
//
// Paper: Chellapilla, Puri, Simard, "High Performance Convolutional Neural
// Networks for Document Processing", 2006 (unfolding).

#ifndef CODEGEN_CPU_LOWER_COLUMNS_H_
#define CODEGEN_CPU_LOWER_COLUMNS_H_

#include "codegen/cpu/lower/WindowRuns.h"

namespace sbp::cpu {

/// Size of a block of columns.
struct ColumnBlocking {
  int64_t lines = 1;     // lines per block
  int64_t channels = 1;  // channels per block; the last may have fewer

  ColumnBlocking(const WindowedShape& shape, int64_t elementBytes,
                 const Target& target);
};

/// Emits the copies between tensors and blocks of matrices.
class Columns {
 public:
  Columns(KernelBuilder& builder, WindowRuns runs, int64_t linesPerBlock);

  /// Returns the number of columns in a block.
  int64_t width() const { return lines_ * shape().lineLength(); }

  /// Copies the inputs in the windows of the lines from `line` on, for
  /// `numChannels` channels from `channel` on, to `columns`, a matrix [channel,
  /// window..., width].
  void unfold(ElementRef input, mlir::Value line, mlir::Value channel,
              int64_t numChannels, ElementRef columns);

  /// Adds the elements of `columns` to the inputs that `unfold` copies them
  /// from.
  void fold(ElementRef columns, mlir::Value line, mlir::Value channel,
            int64_t numChannels, ElementRef input);

  /// Copies the lines from `line` on of a tensor [samples, numFilters,
  /// outputs...] to the matrix [numFilters, width].
  void takeLines(ElementRef tensor, int64_t numFilters, mlir::Value line,
                 ElementRef matrix);
  /// Copies the matrix [numFilters, width] back to these lines of the tensor.
  void putLines(ElementRef matrix, int64_t numFilters, mlir::Value line,
                ElementRef tensor);

 private:
  const WindowedShape& shape() const { return runs_.shape(); }

  /// A line of outputs: its sample and its indices in space.
  struct Line {
    mlir::Value exists;  // an i1: the last block may reach beyond the last line
    mlir::Value sample;
    llvm::SmallVector<mlir::Value> outputs;  // in all dimensions but the last
  };
  Line lineAt(mlir::Value number);

  /// Emits loops over channels, positions in the window and, innermost, lines
  /// of the block (so that successive additions of fold are to different
  /// elements). `visit` gets the run, the first element of the plane in
  /// `input`, and the place in `columns` of the line's first output, in the row
  /// of this channel and position.
  void forRuns(ElementRef input, mlir::Value line, mlir::Value channel,
               int64_t numChannels, ElementRef columns,
               llvm::function_ref<void(const WindowRuns::InputRun&, ElementRef,
                                       ElementRef)>
                   visit);

  /// Emits loops over the filters and, inside, the lines of the block. `visit`
  /// gets an i1, whether the line exists, and the line's first elements in
  /// `tensor` and in `matrix`.
  void forLines(
      ElementRef tensor, ElementRef matrix, int64_t numFilters,
      mlir::Value line,
      llvm::function_ref<void(mlir::Value, ElementRef, ElementRef)> visit);

  KernelBuilder& builder_;
  WindowRuns runs_;
  int64_t lines_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_COLUMNS_H_
