#ifndef DIALECTS_NN_NNINTERFACES_TD_
#define DIALECTS_NN_NNINTERFACES_TD_

include "mlir/IR/OpBase.td"

def Nn_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::sbp::nn";
  let description = [{
    An op that knows its derivative, or rather its adjoint: given the gradient of
    the loss with respect to each result, it builds the gradient with respect to
    each operand. `--sbp-differentiate` needs nothing else from an op.

    The ops of `nn` have this interface by external models
    (`passes/differentiate/adjoints`); a layer from elsewhere implements it in its
    own definition, or attaches a model likewise.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the gradients of the operands at `builder`, which stands behind the
      whole forward program: operands and results of the op may be used.

      `resultGradients` has one value per result, of the result's type; null for
      a result that is not floating point. `operandGradients` has one null per
      operand, to be set where there is a gradient. It has the operand's element
      type, and the operand's shape or one to which that broadcasts: the caller
      sums over what was repeated. Gradients that nobody needs are erased
      afterwards, so all of them may be built.

      Fails with a diagnostic at the op when it has no gradient as it stands.
    }], "::mlir::LogicalResult", "buildAdjoint", (ins
      "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$resultGradients,
      "::llvm::MutableArrayRef<::mlir::Value>":$operandGradients)>,
  ];
}

#endif  // DIALECTS_NN_NNINTERFACES_TD_
