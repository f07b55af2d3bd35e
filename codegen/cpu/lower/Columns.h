// A convolution as matrix products: its windows as the columns of a matrix.
//
// Let a column hold all that the windows at one output see, an element for each
// channel and place in the window. Then with the filters as rows
//
//   output = filter * columns              [F, K] * [K, P]    K = channels *
//   window d columns = filter^T * d output        [K, F] * [F, P] d filter = d
//   output * columns^T        [F, P] * [P, K]
//
// and all three are contractions. The whole matrix has every element of the
// input as often as there are places in a window, too much to ever be stored;
// here a block of it exists at a time, small enough to stay in the caches: the
// outputs of some lines, the runs along the last dimension of space, and some
// of the channels.
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

#include "codegen/cpu/KernelBuilder.h"
#include "codegen/cpu/Target.h"
#include "dialects/nn/Nn.h"

namespace sbp::cpu {

/// The extents of an input [N, C, space...], of the windows that slide over it,
/// and of the outputs in space that they give.
struct WindowedShape {
  int64_t samples = 0, channels = 0;
  llvm::SmallVector<int64_t> inputs;   // in space
  llvm::SmallVector<int64_t> outputs;  // in space
  nn::Windows windows;

  WindowedShape(mlir::Value input, mlir::Value output, nn::Windows windows);

  int64_t inputPoints() const;
  int64_t outputPoints() const;
  int64_t windowPoints() const;

  /// Outputs along the last dimension of space, and how many such runs.
  int64_t lineLength() const { return outputs.back(); }
  int64_t numLines() const;
};

/// How the columns are cut into blocks.
struct ColumnBlocking {
  int64_t lines = 1;     // of each block
  int64_t channels = 1;  // of each but the last

  ColumnBlocking(const WindowedShape& shape, int64_t elementBytes,
                 const Target& target);
};

class Columns {
 public:
  /// `first`: the first output in each dimension of space, or nothing where
  /// they begin at 0.
  Columns(KernelBuilder& builder, const Target& target,
          const WindowedShape& shape, int64_t linesPerBlock,
          llvm::SmallVector<mlir::Value> first);

  /// Columns in a block.
  int64_t width() const { return lines_ * shape_.lineLength(); }

  /// Copies what the windows of the lines from `line` on see of `numChannels`
  /// channels from `channel` on to `columns`, [channel, window..., width].
  void unfold(Place input, mlir::Value line, mlir::Value channel,
              int64_t numChannels, Place columns);

  /// Adds the elements of `columns` where `unfold` takes them from.
  void fold(Place columns, mlir::Value line, mlir::Value channel,
            int64_t numChannels, Place input);

  /// Copies between the lines from `line` on of a tensor
  /// [samples, numFilters, outputs...] and the matrix [numFilters, width].
  void takeLines(Place tensor, int64_t numFilters, mlir::Value line,
                 Place matrix);
  void putLines(Place matrix, int64_t numFilters, mlir::Value line,
                Place tensor);

 private:
  /// A line of outputs: the sample and the place in space where it lies.
  struct Line {
    mlir::Value exists;  // an i1: the last block may reach beyond the last line
    mlir::Value sample;
    llvm::SmallVector<mlir::Value> outputs;  // in all dimensions but the last
  };
  Line lineAt(mlir::Value number);

  /// A run of elements that a line sees through one place of its windows.
  struct Run {
    mlir::Value isInside;    // an i1: in all dimensions but the last
    mlir::Value begin, end;  // of the outputs that see no padding
    Place input;             // what output 0 sees; stride of the last window
    Place columns;           // the column of output 0
  };
  void forRuns(Place input, mlir::Value line, mlir::Value channel,
               int64_t numChannels, Place columns,
               llvm::function_ref<void(const Run&)> visit);
  Run runOf(const Line& line, mlir::Value plane, mlir::ValueRange place,
            Place input, Place columns);

  void forLines(Place matrix, int64_t numFilters, mlir::Value line,
                Place tensor,
                llvm::function_ref<void(mlir::Value, Place, Place)> visit);

  mlir::Value inputOf(size_t dim, mlir::Value output, mlir::Value k);
  bool mayMiss(size_t dim) const;

  KernelBuilder& builder_;
  WindowedShape shape_;
  int64_t lines_;
  int64_t lanes_;
  llvm::SmallVector<mlir::Value> first_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_COLUMNS_H_
