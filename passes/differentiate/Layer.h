// The functions that a layer becomes when it is differentiated.
//
//   @layer.forward           what the layer returns, then what is saved
//   @layer.backward          all gradients
//
// or the backward function in two halves, for a schedule that runs them apart:
//
//   @layer.backward.input    gradients of arguments, then what the other takes
//   @layer.backward.weight   gradients of arguments that are weights, and of
//                            the parameters that the layer reads itself
//
// and perhaps, if the forward function is to save nothing:
//
//   @layer.recompute         what is saved

#ifndef PASSES_DIFFERENTIATE_LAYER_H_
#define PASSES_DIFFERENTIATE_LAYER_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// A value that a backward function takes, as the caller finds it.
struct Given {
  enum class From {
    Arguments,  // of the layer
    Results,    // of what saves: the recomputation, or the forward function
    Gradients,  // of the results of the layer
    Input,      // results of the backward of inputs
  };
  From from;
  int64_t index;
};

/// The backward function of a layer, or one of its halves.
struct BackwardFunction {
  mlir::func::FuncOp function;
  /// What its arguments are.
  SmallVector<Given> given;
  /// The arguments of the layer whose gradients it returns first.
  SmallVector<int64_t> argumentGradients;
  /// The parameters whose gradients it returns next. What a backward of inputs
  /// returns behind that is for the other half.
  SmallVector<mlir::StringAttr> parameterGradients;
};

struct Layer {
  /// Takes what the layer takes; returns what it returns, then saved values.
  mlir::func::FuncOp forward;
  /// Takes what the layer takes; returns saved values. Null if `forward` does.
  mlir::func::FuncOp recomputation;
  /// One, or two in the order in which they are called.
  SmallVector<BackwardFunction, 2> backward;
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_LAYER_H_
