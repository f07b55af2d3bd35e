// Loops over windows of tensors in memory, run by run.
//
// A plane is one channel of one sample. A line of a plane is a row of outputs
// along the last dimension of space. A position is an element of the window.
// The inputs that the outputs of a line read through one position of their
// windows are a run through the plane: elements a stride apart for the outputs
// in the middle of the line, and padding for the outputs before and after.
//
//   window of 3, padding 1       inputs     a b c d
//                                outputs    0 1 2 3
//   position 0                    -> run    - a b c       outputs [1, 4)
//   position 1                    -> run    a b c d       outputs [0, 4)
//   position 2                    -> run    b c d -       outputs [0, 3)
//
// So convolution and pooling process a line with a run, for every line and
// every position. They do so in vectors where the stride is 1 or 2 and the
// bounds of a run are known at compile time, as they are for windows of up to
// 12 elements along the last dimension.

#ifndef CODEGEN_CPU_LOWER_WINDOWRUNS_H_
#define CODEGEN_CPU_LOWER_WINDOWRUNS_H_

#include <utility>

#include "codegen/cpu/Target.h"
#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/WindowCode.h"

namespace sbp::cpu {

/// A vector of outputs with the inputs that they read; if `lanes` is 1, one
/// output and one input.
struct WindowPairs {
  mlir::Value input;   // offset of the first one in the plane
  mlir::Value output;  // index of the first one in the line
  int64_t lanes = 1;
  int64_t count = 1;   // number of lanes that are outputs
  int64_t stride = 1;  // elements from input to input; 1 or 2 if lanes > 1

  /// loadInput() and storeInput() access these inputs of a plane that begins at
  /// `place`; loadOutput() and storeOutput() access these outputs of a line
  /// that begins at `place`.
  mlir::Value loadInput(KernelBuilder& builder, ElementRef place) const;
  mlir::Value loadOutput(KernelBuilder& builder, ElementRef place) const;
  void storeInput(KernelBuilder& builder, mlir::Value value,
                  ElementRef place) const;
  void storeOutput(KernelBuilder& builder, mlir::Value value,
                   ElementRef place) const;

 private:
  /// Returns the two vectors from `first` on, in which every second element is
  /// an input; elements beyond the last input are zero.
  std::pair<mlir::Value, mlir::Value> loadPair(KernelBuilder& builder,
                                               ElementRef first) const;
  /// Returns the number of elements of vector `half` of the pair up to the last
  /// input.
  int64_t countInPair(int64_t half) const;
};

/// Emits a loop over `count` contiguous elements in vectors. `visit` gets the
/// index of a vector's first element, and the number of its lanes in use.
void forVectors(KernelBuilder& builder, int64_t count, int64_t lanes,
                llvm::function_ref<void(mlir::Value, int64_t)> visit);

/// Emits the loops over runs.
class WindowRuns {
 public:
  /// `first` has the op's first outputs, as in WindowCode.
  WindowRuns(KernelBuilder& builder, const Target& target, WindowedShape shape,
             llvm::ArrayRef<ElementRef> first);

  const WindowedShape& shape() const { return code_.shape(); }
  int64_t lanes(mlir::Type element) const;

  /// The run of a line's inputs through one position of their windows.
  struct InputRun {
    mlir::Value isInside;  // an i1: not padding, in all dimensions but the last
    mlir::Value begin, end;  // the outputs that read no padding
    mlir::Value input;       // offset in the plane of the input of output 0
  };
  /// Returns the run of the line at `outputs`, indices in all dimensions of
  /// space but the last, through the position `place` in the window.
  InputRun runOf(mlir::ValueRange outputs, mlir::ValueRange place);

  /// Emits a loop over the positions in a window.
  void forPlaces(llvm::function_ref<void(mlir::ValueRange)> visit);

  /// Emits a loop over the outputs of `run` and the inputs that they read, in
  /// vectors of `element` where possible.
  void forPairs(const InputRun& run, mlir::Type element,
                llvm::function_ref<void(const WindowPairs&)> visit);

 private:
  KernelBuilder& builder_;
  const Target& target_;
  WindowCode code_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_WINDOWRUNS_H_
