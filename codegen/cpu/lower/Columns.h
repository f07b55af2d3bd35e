// Turns a convolution into matrix products (im2col): its windows are the
// columns of a matrix.
//
// A column has all inputs in the window of one output: an element for each
// channel and each position in the window, K in all. There are F filters, and P
// outputs per filter, over all samples. With the filters as the rows of a
// matrix, the output and the gradients are contractions:
//
//   output = filter * columns             [F, K] * [K, P]
//   d columns = filter^T * d output       [K, F] * [F, P]
//   d filter = d output * columns^T       [F, P] * [P, K]
//
// With stride 1 and a window of w elements, the whole matrix has about w times
// the elements of the input: too many to store. So only a block of it exists at
// a time, sized for the caches. A block has the columns of a few lines, and the
// rows of some channels. WindowRuns.h defines a line (a row of outputs along
// the last dimension), a plane (one channel of one sample) and a run.
//
//   unfold (im2col)   input -> columns   copies; zeros for padding
//   fold (col2im)     columns -> input   adds each element to the input that
//                                        unfold copied it from; padding is
//                                        dropped
//
// `takeLines` copies the outputs of a block's lines into a matrix [F, width()],
// and `putLines` copies them back.
//
// Paper: Chellapilla, Puri, Simard, "High Performance Convolutional Neural
// Networks for Document Processing", 2006 (unfolding).

#ifndef CODEGEN_CPU_LOWER_COLUMNS_H_
#define CODEGEN_CPU_LOWER_COLUMNS_H_

#include "codegen/cpu/lower/WindowRuns.h"

namespace sbp::cpu {

/// Size of a block of columns.
struct ColumnBlocking {
  int64_t lines = 1;     // lines per block, also of the last one (see Columns)
  int64_t channels = 1;  // channels per block; the last block may have fewer

  /// Chooses lines with at most 512 columns together, but at least one line,
  /// and as many channels as fit into half of the level 2 cache, but at least
  /// one. An element has `elementBytes` bytes.
  ColumnBlocking(const WindowedShape& shape, int64_t elementBytes,
                 const Target& target);
};

/// Emits the copies between tensors and blocks of matrices.
///
/// `input` and `tensor` are whole tensors: `input` is [samples, channels,
/// inputs...], `tensor` is [samples, numFilters, outputs...]. `line` is the
/// number of the block's first line; lines are numbered from 0 through all
/// samples. A block has `linesPerBlock` lines. The last block may reach beyond
/// the last line of the last sample: there, `unfold` and `takeLines` write
/// zeros into the matrix, `fold` and `putLines` write nothing.
class Columns {
 public:
  /// `runs` visits the windows of the op that is computed.
  Columns(KernelBuilder& builder, WindowRuns runs, int64_t linesPerBlock);

  /// Returns the number of columns in a block.
  int64_t width() const { return lines_ * shape().lineLength(); }

  /// Copies the inputs in the windows of the block's lines, for the
  /// `numChannels` channels from `channel` on, to `columns`: a matrix
  /// [numChannels, window extents..., width()].
  void unfold(ElementRef input, mlir::Value line, mlir::Value channel,
              int64_t numChannels, ElementRef columns);

  /// Adds each element of `columns`, a matrix as `unfold` writes it, to the
  /// element of `input` from which `unfold` copies it. Elements in padding are
  /// dropped.
  void fold(ElementRef columns, mlir::Value line, mlir::Value channel,
            int64_t numChannels, ElementRef input);

  /// Copies the block's lines of `tensor` to `matrix`, which is [numFilters,
  /// width()].
  void takeLines(ElementRef tensor, int64_t numFilters, mlir::Value line,
                 ElementRef matrix);
  /// Copies `matrix`, which is [numFilters, width()], to the block's lines of
  /// `tensor`.
  void putLines(ElementRef matrix, int64_t numFilters, mlir::Value line,
                ElementRef tensor);

 private:
  const WindowedShape& shape() const { return runs_.shape(); }

  /// A line of outputs: its sample and its indices in space.
  struct Line {
    mlir::Value exists;  // an i1: false if `number` is beyond the last line
    mlir::Value sample;
    llvm::SmallVector<mlir::Value> outputs;  // in all dimensions but the last
  };
  /// Returns line `number`, counted through all samples.
  Line lineAt(mlir::Value number);

  /// Emits loops over channels, positions in the window and, innermost, lines
  /// of the block (so that successive additions of fold are to different
  /// elements). `visit` gets three arguments:
  /// - the run of the line through the position; `isInside` is false for a line
  ///   beyond the last one;
  /// - the first element of the plane in `input`;
  /// - the element of `columns` in the row of this channel and position, and in
  ///   the column of the line's first output.
  void forRuns(ElementRef input, mlir::Value line, mlir::Value channel,
               int64_t numChannels, ElementRef columns,
               llvm::function_ref<void(const WindowRuns::InputRun&, ElementRef,
                                       ElementRef)>
                   visit);

  /// Emits loops over the filters and, inside, the lines of the block. `visit`
  /// gets an i1, false for a line beyond the last one, and the line's first
  /// elements in `tensor` and in `matrix`.
  void forLines(
      ElementRef tensor, ElementRef matrix, int64_t numFilters,
      mlir::Value line,
      llvm::function_ref<void(mlir::Value, ElementRef, ElementRef)> visit);

  KernelBuilder& builder_;
  WindowRuns runs_;
  int64_t lines_;  // lines per block
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_COLUMNS_H_
