// Layers: functions that are differentiated once and called many times.
//
// A layer becomes a pair of functions. The backward program is written as if it
// stood behind the forward one; then it is cut off. What crosses the cut has to
// be saved by the forward function:
//
//   @layer(%x, %w) {                @layer.forward(%x, %w) -> (%y, %h)
//     %h = einsum %x, %w
//     %y = gelu %h                  @layer.backward(%x, %w, %h, %g) -> (%dx,
//     %dw) return %y }                     %dh = gelu_grad %h, %g ...
//
// Of what crosses, arguments (%x, %w) and results are at hand where the layer
// is called; only the rest (%h) are further results of the forward function.
//
// A call that needs other gradients (an argument that depends on no parameter,
// a result that nobody uses) gets a pair of its own, `@layer.forward.2` ...

#ifndef PASSES_DIFFERENTIATE_LAYERS_H_
#define PASSES_DIFFERENTIATE_LAYERS_H_

#include <map>
#include <tuple>
#include <vector>

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/Activity.h"

namespace sbp {

/// What a call asks of a layer's gradient.
struct LayerNeeds {
  /// Per argument, whether its gradient is wanted.
  std::vector<bool> activeArguments;
  /// Per result, whether it has a gradient.
  std::vector<bool> resultGradients;

  bool operator<(const LayerNeeds& other) const {
    return std::tie(activeArguments, resultGradients) <
           std::tie(other.activeArguments, other.resultGradients);
  }
};

/// The two functions that a layer becomes.
struct Layer {
  /// A value that the backward function takes: an argument or a result of the
  /// forward function.
  struct Saved {
    bool isArgument;
    int64_t index;
  };

  /// Takes what the layer takes; returns what it returns, then saved values.
  mlir::func::FuncOp forward;
  /// Takes the saved values, then the gradients that the results have; returns
  /// gradients of arguments, then of parameters.
  mlir::func::FuncOp backward;

  SmallVector<Saved> saved;
  /// The arguments whose gradients `backward` returns.
  SmallVector<int64_t> argumentGradients;
  /// The parameters that the layer reads and whose gradients `backward`
  /// returns.
  SmallVector<mlir::StringAttr> parameterGradients;
};

class Layers {
 public:
  /// `symbols` is that of the module; its calls must not recur.
  Layers(mlir::SymbolTable& symbols, Activity& activity)
      : symbols(symbols), activity(activity) {}

  /// The pair for `call`, made when it is first asked for. Fails with a
  /// diagnostic at an op that has no adjoint.
  FailureOr<const Layer*> differentiate(mlir::func::CallOp call,
                                        const LayerNeeds& needs);

 private:
  FailureOr<Layer> build(mlir::func::FuncOp function, const LayerNeeds& needs,
                         int64_t number);

  mlir::SymbolTable& symbols;
  Activity& activity;
  std::map<Operation*, std::map<LayerNeeds, Layer>> layers;
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_LAYERS_H_
