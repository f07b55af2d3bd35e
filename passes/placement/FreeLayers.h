// Layers whose calls may be placed differently.
//
// A layer is a function, and a function has one placement. To place calls of a
// layer differently, each call gets a copy of the function before placement.
// Copies that were placed alike are merged afterwards:
//
//   call @layer          call @layer.call0         call @layer.call0
//   call @layer    ->    call @layer.call1    ->   call @layer.call1
//   call @layer          call @layer.call2         call @layer.call1
//
//                                @layer.call1 has `sbp.calls = [1, 2]`
//
// If all copies were placed alike, the merged function has the original name,
// and the program is the same as if no copies had been made. So kernels are
// compiled once per plan of a layer, not once per call.
//
// The copies for a forward call and for its backward call have the same number,
// the N in `.callN`. Two kinds of functions have one placement for
// all their calls: functions with `sbp.tied`, and functions that nn.repeat
// calls.

#ifndef PASSES_PLACEMENT_FREELAYERS_H_
#define PASSES_PLACEMENT_FREELAYERS_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/Plan.h"

namespace sbp {

/// The copies of functions, one for each call.
class FreeLayers {
 public:
  /// Constructs an object without copies.
  FreeLayers() = default;

  /// Copies each private function once for each of its calls that an entry
  /// reaches. Calls inside a copy get copies of their own. `sbp.tied` functions
  /// and functions that nn.repeat calls are not copied. `module` must have no
  /// placements and no recursion. The originals stay in the module, but entries
  /// no longer reach them. Fails with a diagnostic if more than `kMaxCopies`
  /// copies would be needed.
  static FailureOr<FreeLayers> copyPerCall(ModuleOp module);

  static constexpr int64_t kMaxCopies = 10000;

  /// Extends `plan` to all copies. `plan` must be one for the program before
  /// copying, and the originals must still exist.
  void addCopies(Plan& plan) const;

  /// Merges copies that were placed alike. The originals must have been erased,
  /// since a merged function may take the name of its original.
  void mergeEqualCopies();

 private:
  struct Copy {
    mlir::func::CallOp call;
    mlir::func::FuncOp function;
    int64_t number = 0;  // of the call; the same for both halves of a layer
  };
  /// An original function, and its copies in the order in which they were made.
  struct Layer {
    mlir::func::FuncOp original;
    std::string name;
    std::vector<Copy> copies;
  };
  class Copier;

  // Callees before their callers; otherwise in the order of first calls.
  std::vector<Layer> layers_;
};

/// Returns the name of the layer of `function`: the name of the original if
/// `function` is a copy, else the name of `function`.
StringRef layerOf(mlir::func::FuncOp function);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_FREELAYERS_H_
