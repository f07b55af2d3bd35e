// The interface from which the backward walk of a block gets the functions of
// the layers that the block calls.
//
// The walk (Backward.h) replaces each call of a layer by calls of the layer's
// forward and backward functions. Through this interface it gets these
// functions without depending on Layers.h, which makes them by walking the
// layer's block.

#ifndef PASSES_DIFFERENTIATE_LAYERFUNCTIONS_H_
#define PASSES_DIFFERENTIATE_LAYERFUNCTIONS_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/Layer.h"
#include "passes/differentiate/LayerNeeds.h"

namespace sbp {

/// The functions of layers, made on demand.
class LayerFunctions {
 public:
  virtual ~LayerFunctions() = default;

  /// Whether the callee of `call` asks for a backward function in halves
  /// (sbp.split_backward).
  virtual bool asksForHalves(mlir::func::CallOp call) const = 0;

  /// Returns the functions that replace `call`. Calls of one layer with equal
  /// needs get the same functions. The result is owned by this object. Fails
  /// with a diagnostic at an op that has no adjoint.
  virtual FailureOr<const Layer*> differentiate(mlir::func::CallOp call,
                                                const LayerNeeds& needs) = 0;
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_LAYERFUNCTIONS_H_
