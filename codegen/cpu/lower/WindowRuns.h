// Loops over windows of tensors in memory, run by run.
//
// A plane is one channel of one sample. A line of a plane is a row of outputs
// along the last dimension of space. A position is an element of the window. A
// run is the sequence of inputs that the outputs of one line read through one
// position of their windows. The outputs in the middle of the line read
// elements of the plane, a stride apart. In the example they are given as a
// range; the outputs before and after this range read padding, "-".
//
//   window of 3, padding 1       inputs     a b c d
//                                outputs    0 1 2 3
//   position 0                    -> run    - a b c       outputs [1, 4)
//   position 1                    -> run    a b c d       outputs [0, 4)
//   position 2                    -> run    b c d -       outputs [0, 3)
//
// Convolution and pooling process a line and a run together, for every line and
// every position. They do so in vectors if, along the last dimension, the
// stride is 1 or 2, the window has at most 12 elements, and the op computes all
// outputs: then the bounds of a run are known at compile time.

#ifndef CODEGEN_CPU_LOWER_WINDOWRUNS_H_
#define CODEGEN_CPU_LOWER_WINDOWRUNS_H_

#include <utility>

#include "codegen/cpu/Target.h"
#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/WindowCode.h"

namespace sbp::cpu {

/// Some outputs of a line, with the input that each reads through one position
/// of its window. The outputs are adjacent.
struct OutputInputPairs {
  mlir::Value input;   // offset in the plane of the first input
  mlir::Value output;  // index in the line of the first output
  int64_t lanes = 1;   // lanes of the vectors; 1: values are scalars
  int64_t count = 1;   // number of pairs: they fill the first lanes
  int64_t stride = 1;  // elements from input to input; 1 or 2 if lanes > 1

  /// Loads or stores the inputs of the pairs, in the plane that begins at
  /// `begin`, or the outputs of the pairs, in the line that begins at `begin`.
  /// Loads set the lanes after the first `count` to zero; stores leave all
  /// other elements as they are.
  mlir::Value loadInput(KernelBuilder& builder, ElementRef begin) const;
  mlir::Value loadOutput(KernelBuilder& builder, ElementRef begin) const;
  void storeInput(KernelBuilder& builder, mlir::Value value,
                  ElementRef begin) const;
  void storeOutput(KernelBuilder& builder, mlir::Value value,
                   ElementRef begin) const;

 private:
  /// Returns the 2 * `lanes` elements from `first` on as two vectors. With
  /// stride 2, every second element is an input. Elements after the last input
  /// are zero.
  std::pair<mlir::Value, mlir::Value> loadPair(KernelBuilder& builder,
                                               ElementRef first) const;
  /// Returns the number of elements of vector `half` (0 or 1) of the pair up to
  /// and including the last input.
  int64_t countInPair(int64_t half) const;
};

/// Emits a loop over `count` contiguous elements in vectors of `lanes`. `visit`
/// gets the index of a vector's first element, and the number of lanes in use:
/// `lanes`, or count % lanes in a last vector that is not full.
void forVectors(KernelBuilder& builder, int64_t count, int64_t lanes,
                llvm::function_ref<void(mlir::Value, int64_t)> visit);

/// Emits the loops over runs.
class WindowRuns {
 public:
  /// `first` has the operands with the indices of the op's first outputs, as in
  /// WindowCode.
  WindowRuns(KernelBuilder& builder, const Target& target, WindowedShape shape,
             llvm::ArrayRef<ElementRef> first);

  const WindowedShape& shape() const { return code_.shape(); }
  /// Returns the number of elements of type `element` in a vector register.
  int64_t lanes(mlir::Type element) const;

  /// The inputs that a line's outputs read through one position of their
  /// windows.
  struct InputRun {
    // An i1: false if all outputs read padding here, since their inputs lie
    // outside of the plane in a dimension other than the last. The other
    // members then have no meaning.
    mlir::Value isInside;
    // Outputs [begin, end) of the line read elements of the plane; the others
    // read padding.
    mlir::Value begin, end;
    // Offset in the plane of the input of output 0; negative or in another row
    // if output 0 reads padding.
    mlir::Value input;
  };
  /// Returns the run of a line through a position. `outputs` are the indices of
  /// the line in all dimensions of space but the last. `position` has an index
  /// in each dimension of the window.
  InputRun runOf(mlir::ValueRange outputs, mlir::ValueRange position);

  /// Emits loops over the positions in a window. `visit` gets an index in each
  /// dimension; it is called several times if the last loop is unrolled, as it
  /// is for windows of up to 12 elements along the last dimension.
  void forPositions(llvm::function_ref<void(mlir::ValueRange)> visit);

  /// Emits a loop over the outputs of `run` that read no padding, with their
  /// inputs. The loop is in vectors of `element` if stride and bounds allow it
  /// (see above), else over single pairs. Ignores `run.isInside`: the caller
  /// emits the loop where it is true.
  void forPairs(const InputRun& run, mlir::Type element,
                llvm::function_ref<void(const OutputInputPairs&)> visit);

 private:
  KernelBuilder& builder_;
  const Target& target_;
  WindowCode code_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_WINDOWRUNS_H_
