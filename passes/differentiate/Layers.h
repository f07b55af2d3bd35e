// Layers: functions that are differentiated once and called many times.
//
// A layer becomes a pair of functions. The backward program is first built at
// the end of the forward program, and then cut off. Values that cross the cut
// have to be saved by the forward function:
//
//   @layer(%x, %w) {                @layer.forward(%x, %w) -> (%y, %h)
//     %h = einsum %x, %w
//     %y = gelu %h                  @layer.backward(%x, %w, %h, %g)
//     return %y }                       -> (%dx, %dw) {
//                                     %dh = gelu_grad %h, %g ...
//
// Of the values that cross the cut, arguments (%x, %w) and results are at hand
// where the layer is called. Only the others (%h) become further results of the
// forward function.
//
// The function of a stage may ask for more. With sbp.split_backward, its
// backward function is cut once more (SplitBackward.h), and so are the backward
// functions of the layers that it calls. With sbp.recompute, saved values are
// computed again (Recompute.h). Functions made for a stage have the attribute
// sbp.kind: the kind of task that they are.
//
// A call that needs other gradients (an argument that depends on no parameter,
// a result that nobody uses) gets a pair of its own, `@layer.forward.2` ...

#ifndef PASSES_DIFFERENTIATE_LAYERS_H_
#define PASSES_DIFFERENTIATE_LAYERS_H_

#include <map>

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/Activity.h"
#include "passes/differentiate/Layer.h"
#include "passes/differentiate/LayerFunctions.h"
#include "passes/schedule/Table.h"

namespace sbp {

/// Marks `function`, one of the functions of a stage, with the kind of task
/// that it is.
void setKind(mlir::func::FuncOp function, schedule::Kind kind);

/// Differentiates layers, and keeps their functions.
class Layers : public LayerFunctions {
 public:
  /// `symbols` is the symbol table of the module, whose calls must not recur.
  Layers(mlir::SymbolTable& symbols, Activity& activity)
      : symbols_(symbols), activity_(activity) {}

  bool asksForHalves(mlir::func::CallOp call) const override;

  FailureOr<const Layer*> differentiate(mlir::func::CallOp call,
                                        const LayerNeeds& needs) override;

 private:
  FailureOr<Layer> build(mlir::func::FuncOp function, const LayerNeeds& needs,
                         int64_t number);
  /// Builds the whole backward function of `layer`, which is empty.
  LogicalResult buildBackward(const LayerNeeds& needs, Layer& layer);
  /// Erases a half of `layer` that returns nothing.
  void eraseEmpty(Layer& layer);

  mlir::SymbolTable& symbols_;
  Activity& activity_;
  std::map<Operation*, std::map<LayerNeeds, Layer>> layers_;
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_LAYERS_H_
