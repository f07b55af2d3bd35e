// The functions that a layer becomes when it is differentiated.
//
//   @layer.forward           the layer's results, and the saved values
//   @layer.backward          all gradients
//
// A schedule may run the backward in halves. The layer then has two functions
// instead of the backward function:
//
//   @layer.backward.input    gradients of arguments, and values for the other
//                            half
//   @layer.backward.weight   gradients of arguments that are weights, and of
//                            the parameters that the layer reads itself
//
// If the layer keeps fewer values than the backward function takes (Kept.h),
// there is another function:
//
//   @layer.recompute         the values that are not kept

#ifndef PASSES_DIFFERENTIATE_LAYER_H_
#define PASSES_DIFFERENTIATE_LAYER_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// An operand of a call of a layer's function: value number `index` of kind
/// `kind`.
struct OperandSource {
  enum class Kind {
    Arguments,   // arguments of the layer
    Results,     // results of the forward function
    Recomputed,  // results of the recomputation
    Gradients,   // gradients of the layer's results
    Input,       // results of the backward function's half for inputs
  };
  Kind kind;
  int64_t index;
};

/// The backward function of a layer, or one of its halves.
struct BackwardFunction {
  mlir::func::FuncOp function;
  /// The value of each operand in a call of the function.
  SmallVector<OperandSource> operandSources;
  /// Indices of the layer's arguments whose gradients are the first results.
  SmallVector<int64_t> argumentGradients;
  /// Names of the parameters whose gradients are the next results. If the
  /// function is the half for inputs, the last results are values for the other
  /// half.
  SmallVector<mlir::StringAttr> parameterGradients;
};

/// The function that computes saved values again.
struct RecomputeFunction {
  /// Null if the forward function returns all saved values.
  mlir::func::FuncOp function;
  /// The value of each operand in a call of the function.
  SmallVector<OperandSource> operandSources;
};

/// All functions of a layer.
struct Layer {
  /// Takes the layer's arguments. Returns the layer's results, then the saved
  /// values.
  mlir::func::FuncOp forward;
  RecomputeFunction recomputation;
  /// The backward function, or its two halves in the order of their calls. A
  /// function that would return nothing is left out, unless the layer is the
  /// function of a stage.
  SmallVector<BackwardFunction, 2> backward;
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_LAYER_H_
