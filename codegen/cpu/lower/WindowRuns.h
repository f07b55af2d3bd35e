// Windows over tensors in memory, run by run.
//
// A plane is one channel of one sample, a line its outputs along the last
// dimension of space. What the outputs of a line see through one place of their
// windows is a run through the plane: elements a stride apart, in the middle of
// the line; outputs before and after see padding.
//
//   extent 3, low 1, high 1      inputs     a b c d
//                                outputs    0 1 2 3
//   place 0                       -> run    - a b c       outputs [1, 4)
//   place 1                       -> run    a b c d       outputs [0, 4)
//   place 2                       -> run    b c d -       outputs [0, 3)
//
// So convolution and pooling do something with a line and a run, for every line
// and every place. Where the elements of a run are neighbours, or every second
// one, that is done in vectors.

#ifndef CODEGEN_CPU_LOWER_WINDOWRUNS_H_
#define CODEGEN_CPU_LOWER_WINDOWRUNS_H_

#include <utility>

#include "codegen/cpu/Target.h"
#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/WindowCode.h"

namespace sbp::cpu {

/// Outputs that meet the inputs they see: lanes of a vector, or, when `lanes`
/// is 1, one of each.
struct Meeting {
  mlir::Value input;   // offset in the plane
  mlir::Value output;  // number in the line
  int64_t lanes = 1;
  int64_t count = 1;   // of the lanes
  int64_t stride = 1;  // from input to input; 1 or 2 if there are more lanes

  /// Elements of a tensor that lies like the plane, or like the line, from
  /// `place` on.
  mlir::Value loadInput(KernelBuilder& builder, ElementRef place) const;
  mlir::Value loadOutput(KernelBuilder& builder, ElementRef place) const;
  void storeInput(KernelBuilder& builder, mlir::Value value,
                  ElementRef place) const;
  void storeOutput(KernelBuilder& builder, mlir::Value value,
                   ElementRef place) const;

 private:
  /// The two vectors in which every second element is an input, from `first`
  /// on; what is beyond the last input is zero.
  std::pair<mlir::Value, mlir::Value> loadPair(KernelBuilder& builder,
                                               ElementRef first) const;
  int64_t countInPair(int64_t half) const;
};

/// Runs through `count` contiguous elements in vectors: `visit` gets where one
/// begins, and how many of its lanes count.
void forVectors(KernelBuilder& builder, int64_t count, int64_t lanes,
                llvm::function_ref<void(mlir::Value, int64_t)> visit);

class WindowRuns {
 public:
  /// Of `first`, see WindowCode.
  WindowRuns(KernelBuilder& builder, const Target& target, WindowedShape shape,
             llvm::ArrayRef<ElementRef> first);

  const WindowedShape& shape() const { return code_.shape(); }
  int64_t lanes(mlir::Type element) const;

  struct Run {
    mlir::Value isInside;    // an i1: in all dimensions of space but the last
    mlir::Value begin, end;  // the outputs that see no padding
    mlir::Value input;       // what output 0 sees, as an offset in the plane
  };
  /// What the line at `outputs`, in all dimensions of space but the last, sees
  /// through `place`, in all dimensions.
  Run runOf(mlir::ValueRange outputs, mlir::ValueRange place);

  /// Runs through the places of a window.
  void forPlaces(llvm::function_ref<void(mlir::ValueRange)> visit);

  /// Runs through the outputs of `run` and what they see, as elements of type
  /// `element`.
  void forMeetings(const Run& run, mlir::Type element,
                   llvm::function_ref<void(const Meeting&)> visit);

 private:
  KernelBuilder& builder_;
  const Target& target_;
  WindowCode code_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_WINDOWRUNS_H_
