// The functions that a layer becomes when it is differentiated.
//
//   @layer.forward           the layer's results, and the saved values
//   @layer.backward          all gradients
//
// For a schedule that runs them separately, there are two halves in place of
// the backward function:
//
//   @layer.backward.input    gradients of arguments, and values for the other
//                            half
//   @layer.backward.weight   gradients of arguments that are weights, and of
//                            the parameters that the layer reads itself
//
// If the forward function is to save nothing, there is a further function:
//
//   @layer.recompute         the saved values

#ifndef PASSES_DIFFERENTIATE_LAYER_H_
#define PASSES_DIFFERENTIATE_LAYER_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// The value that a caller of a backward function passes as one operand: value
/// number `index` of its kind.
struct OperandSource {
  enum class Kind {
    Arguments,  // arguments of the layer
    Results,    // results of `recomputation`, or, if null, of `forward`
    Gradients,  // gradients of the layer's results
    Input,      // results of the half for inputs
  };
  Kind kind;
  int64_t index;
};

/// The backward function of a layer, or one of its halves.
struct BackwardFunction {
  mlir::func::FuncOp function;
  /// The values that callers pass as operands, in order.
  SmallVector<OperandSource> operandSources;
  /// Indices of the layer's arguments whose gradients the function returns
  /// first.
  SmallVector<int64_t> argumentGradients;
  /// Names of the parameters whose gradients the function returns next. After
  /// these, the half for inputs returns values for the other half.
  SmallVector<mlir::StringAttr> parameterGradients;
};

/// All functions of a layer.
struct Layer {
  /// Takes the layer's arguments; returns the layer's results, then saved
  /// values.
  mlir::func::FuncOp forward;
  /// Takes the layer's arguments; returns the saved values. Null if `forward`
  /// returns them.
  mlir::func::FuncOp recomputation;
  /// The backward function, or its two halves in the order in which they are
  /// called. Unless the layer is the function of a stage, functions that would
  /// return nothing are left out.
  SmallVector<BackwardFunction, 2> backward;
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_LAYER_H_
