// Layers: functions that are differentiated once and called many times.
//
// A layer becomes a pair of functions. The backward program is written as if it
// stood behind the forward one; then it is cut off. What crosses the cut has to
// be saved by the forward function:
//
//   @layer(%x, %w) {                @layer.forward(%x, %w) -> (%y, %h)
//     %h = einsum %x, %w
//     %y = gelu %h                  @layer.backward(%x, %w, %h, %g)
//     return %y }                       -> (%dx, %dw) {
//                                     %dh = gelu_grad %h, %g ...
//
// Of what crosses, arguments (%x, %w) and results are at hand where the layer
// is called; only the rest (%h) are further results of the forward function.
//
// The function of a stage may ask for more: with sbp.split_backward its
// backward function is cut once more (SplitBackward.h), and so are those of the
// layers that it calls; with sbp.recompute what is saved is computed again
// (Recompute.h). What is made for a stage says its kind: sbp.kind.
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

class Layers : public LayerFunctions {
 public:
  /// `symbols` is that of the module; its calls must not recur.
  Layers(mlir::SymbolTable& symbols, Activity& activity)
      : symbols(symbols), activity(activity) {}

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

  mlir::SymbolTable& symbols;
  Activity& activity;
  std::map<Operation*, std::map<LayerNeeds, Layer>> layers;
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_LAYERS_H_
