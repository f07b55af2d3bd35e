// Layers whose calls may be placed differently.
//
// A layer is a function, and a function has one placement. If calls are free to
// differ, each call gets a copy of the function before placement, and copies
// that were placed alike are merged afterwards:
//
//   call @layer          call @layer.call0         call @layer.call0
//   call @layer    ->    call @layer.call1    ->   call @layer.call1
//   call @layer          call @layer.call2         call @layer.call1
//
//                                @layer.call1 has `sbp.calls = [1, 2]`
//
// If all copies were placed alike, the merged function has the original name,
// and the program is the same as with tied layers. So kernels are compiled once
// per plan of a layer, not once per call.
//
// The two halves of a layer stay a pair: the backward call has the number of
// the forward call. A function with `sbp.tied` has one placement for all its
// calls. A function that nn.repeat calls has one placement, too: it has no
// other call.

#ifndef PASSES_PLACEMENT_FREELAYERS_H_
#define PASSES_PLACEMENT_FREELAYERS_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/Plan.h"

namespace sbp {

/// The copies of functions that are made for their calls.
class FreeLayers {
 public:
  /// Makes an object without copies.
  FreeLayers() = default;

  /// Copies private functions, once for each of their calls that an entry
  /// reaches; calls in a copy get copies of their own. `sbp.tied` functions and
  /// functions that nn.repeat calls are not copied. `module` must have no
  /// placements and no recursion. The copied originals stay in the module, but
  /// entries no longer reach them. Fails with a diagnostic if more than
  /// `kMaxCopies` copies would be needed.
  static FailureOr<FreeLayers> copyPerCall(ModuleOp module);

  static constexpr int64_t kMaxCopies = 10000;

  /// Extends `plan`, which was made for the program before copying, to all
  /// copies. The originals must still exist.
  void addCopies(Plan& plan) const;

  /// Merges copies that were placed alike. The originals must have been erased,
  /// as a merged function may take the name of its original.
  void mergeEqualCopies();

 private:
  struct Copy {
    mlir::func::CallOp call;
    mlir::func::FuncOp function;
    int64_t number = 0;  // of the call; pairs halves of a layer
  };
  /// An original function and its copies, in the order in which they were made.
  struct Layer {
    mlir::func::FuncOp original;
    std::string name;
    std::vector<Copy> copies;
  };
  class Copier;

  // Callees first.
  std::vector<Layer> layers_;
};

/// Returns the name of the original function if `function` is a copy; otherwise
/// its own name.
StringRef layerOf(mlir::func::FuncOp function);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_FREELAYERS_H_
