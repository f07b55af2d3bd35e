// Layers: functions that are differentiated once and called many times.
//
// A layer becomes a pair of functions. The backward function is first built
// with direct uses of values of the forward function. Each such value then
// becomes an argument of the backward function:
//
//   @layer(%x, %w) {                @layer.forward(%x, %w) -> (%y, %h)
//     %h = einsum %x, %w
//     %y = gelu %h                  @layer.backward(%x, %w, %h, %g)
//     return %y }                       -> (%dx, %dw) {
//                                     %dh = gelu_grad %h, %g ...
//
// A caller of the layer has its arguments (%x, %w) and results. Other values
// (%h) must be saved: they become additional results of the forward function.
// Constants are made again, and parameters read again (TakeValues.h).
//
// If the attribute sbp.keep of a layer says that it keeps less, the other
// values are computed again right before the backward (Recompute.h).
//
// The function of a stage may ask for more. With sbp.split_backward, its
// backward function is split in two (SplitBackward.h), and so are the backward
// functions of the layers that it calls. A function that is made for a stage
// has the attribute sbp.kind: a call of the function is a task of this kind
// (passes/schedule/Table.h).
//
// If another call of the layer needs other gradients (because an argument
// depends on no parameter, or a result is not used), it gets another pair of
// functions: `@layer.forward.2` ...

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

/// Marks `function`, one of the functions of a stage, with `kind`: a call of it
/// is a task of this kind.
void setKind(mlir::func::FuncOp function, schedule::Kind kind);

/// Differentiates layers, and keeps their functions.
class Layers : public LayerFunctions {
 public:
  /// Constructs an object without functions. `symbols` must be the symbol table
  /// of the module, whose functions must not be recursive. `symbols` and
  /// `activity` must outlive this object.
  Layers(mlir::SymbolTable& symbols, Activity& activity)
      : symbols_(symbols), activity_(activity) {}

  bool asksForHalves(mlir::func::CallOp call) const override;

  FailureOr<const Layer*> differentiate(mlir::func::CallOp call,
                                        const LayerNeeds& needs) override;

 private:
  FailureOr<Layer> build(mlir::func::FuncOp function, const LayerNeeds& needs,
                         int64_t number);
  /// Builds the whole backward function of `layer`, whose body must be empty.
  LogicalResult buildBackward(const LayerNeeds& needs, Layer& layer);
  /// Erases the backward functions of `layer` that return nothing.
  void eraseEmpty(Layer& layer);

  mlir::SymbolTable& symbols_;
  Activity& activity_;
  std::map<Operation*, std::map<LayerNeeds, Layer>> layers_;
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_LAYERS_H_
