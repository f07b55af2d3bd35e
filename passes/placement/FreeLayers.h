// Layers whose calls may be placed differently.
//
// A layer is a function, and a function is placed once. So where calls are free
// to differ, each gets a function of its own before it is placed; and those
// that were placed alike become one function again:
//
//   call @layer          call @layer.call0         call @layer.call0
//   call @layer    ->    call @layer.call1    ->   call @layer.call1
//   call @layer          call @layer.call2         call @layer.call1
//
//                                @layer.call1 has `sbp.calls = [1, 2]`
//
// If all were placed alike, the function has its name back, and the program is
// what it would be if they had been tied. So kernels are compiled per plan of a
// layer, not per call.
//
// The two halves of a layer stay a pair: the call that goes backward has the
// number of the one that goes forward. A function with `sbp.tied` is placed
// once in any case, and so is what nn.repeat calls: that is called once.

#ifndef PASSES_PLACEMENT_FREELAYERS_H_
#define PASSES_PLACEMENT_FREELAYERS_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/Plan.h"

namespace sbp {

class FreeLayers {
 public:
  /// No copies.
  FreeLayers() = default;

  /// Gives each call of a private function in `module`, a program without
  /// placements whose calls do not recur, a copy of its own; functions that are
  /// called by copies too. What was copied stays, without calls. Fails with a
  /// diagnostic when there would be more than `kMaxCopies`.
  static FailureOr<FreeLayers> copyPerCall(ModuleOp module);

  static constexpr int64_t kMaxCopies = 10000;

  /// Adds to `plan`, one for the program before it was copied, what it says for
  /// all copies. What was copied must still be there.
  void addCopies(Plan& plan) const;

  /// Makes copies that were placed alike one function again. What was copied
  /// must be gone.
  void joinAlike();

 private:
  struct Copy {
    mlir::func::CallOp call;
    mlir::func::FuncOp function;
    int64_t number = 0;  // of the call
  };
  /// What was copied, and the copies in order; callees before their callers.
  struct Layer {
    mlir::func::FuncOp original;
    std::string name;
    std::vector<Copy> copies;
  };
  class Copying;

  std::vector<Layer> layers_;
};

/// The layer that `function` is of: the name that all its copies have in
/// common, or the function's own.
StringRef layerOf(mlir::func::FuncOp function);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_FREELAYERS_H_
