// A convolution as matrix products: its windows as the columns of a matrix.
//
// Let a column hold all that the windows at one output see, an element for each
// channel and place in the window, K of them. Then with the filters as rows
//
//   output = filter * columns             [F, K] * [K, P]
//   d columns = filter^T * d output       [K, F] * [F, P]
//   d filter = d output * columns^T       [F, P] * [P, K]
//
// and all three are contractions. The whole matrix has every element of the
// input as often as there are places in a window, too much to ever be stored;
// here a block of it exists at a time, small enough to stay in the caches: the
// outputs of some lines (WindowRuns.h), and some of the channels.
//
//   unfold   input -> columns       copies; zeros where a window sees padding
//   fold     columns -> input       adds each element where it came from
//
// The outputs in turn are cut into the blocks [F, P] by `takeLines`, and put
// together by `putLines`. The last block may reach beyond the last line: there
// are zeros.
//
// Paper: Chellapilla, Puri, Simard, "High Performance Convolutional Neural
// Networks for Document Processing", 2006 (unfolding).

#ifndef CODEGEN_CPU_LOWER_COLUMNS_H_
#define CODEGEN_CPU_LOWER_COLUMNS_H_

#include "codegen/cpu/lower/WindowRuns.h"

namespace sbp::cpu {

/// How the columns are cut into blocks.
struct ColumnBlocking {
  int64_t lines = 1;     // of each block
  int64_t channels = 1;  // of each but the last

  ColumnBlocking(const WindowedShape& shape, int64_t elementBytes,
                 const Target& target);
};

class Columns {
 public:
  Columns(KernelBuilder& builder, WindowRuns runs, int64_t linesPerBlock);

  /// Columns in a block.
  int64_t width() const { return lines_ * shape().lineLength(); }

  /// Copies what the windows of the lines from `line` on see of `numChannels`
  /// channels from `channel` on to `columns`, [channel, window..., width].
  void unfold(ElementRef input, mlir::Value line, mlir::Value channel,
              int64_t numChannels, ElementRef columns);

  /// Adds the elements of `columns` where `unfold` takes them from.
  void fold(ElementRef columns, mlir::Value line, mlir::Value channel,
            int64_t numChannels, ElementRef input);

  /// Copies between the lines from `line` on of a tensor
  /// [samples, numFilters, outputs...] and the matrix [numFilters, width].
  void takeLines(ElementRef tensor, int64_t numFilters, mlir::Value line,
                 ElementRef matrix);
  void putLines(ElementRef matrix, int64_t numFilters, mlir::Value line,
                ElementRef tensor);

 private:
  const WindowedShape& shape() const { return runs_.shape(); }

  /// A line of outputs: the sample and the place in space where it lies.
  struct Line {
    mlir::Value exists;  // an i1: the last block may reach beyond the last line
    mlir::Value sample;
    llvm::SmallVector<mlir::Value> outputs;  // in all dimensions but the last
  };
  Line lineAt(mlir::Value number);

  /// For every line of the block, and every channel and place of its windows:
  /// the run, the plane of `input`, and where the line lies in `columns`.
  void forRuns(
      ElementRef input, mlir::Value line, mlir::Value channel,
      int64_t numChannels, ElementRef columns,
      llvm::function_ref<void(const WindowRuns::Run&, ElementRef, ElementRef)>
          visit);

  /// For every line of the block and every filter: whether the line exists, and
  /// where it lies in `tensor` and in `matrix`.
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
