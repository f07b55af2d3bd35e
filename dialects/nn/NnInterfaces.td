#ifndef DIALECTS_NN_NNINTERFACES_TD_
#define DIALECTS_NN_NNINTERFACES_TD_

include "mlir/IR/OpBase.td"

def Nn_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::sbp::nn";
  let description = [{
    An op that builds its adjoint: given the gradients of the loss with respect to the
    results, it builds the gradients with respect to the operands.
    `--sbp-differentiate` needs nothing else from an op.

    The ops of `nn` have this interface by external models
    (`passes/differentiate/adjoints`). An op of another dialect implements the interface
    in its own definition, or attaches an external model as well.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the gradients of the operands at the insertion point of `builder`, which
      comes after the whole forward program: the operands and results of the op may be
      used.

      `resultGradients` has one value per result, of the result's type, or null for a
      result that is not floating point. `operandGradients` has one null value per
      operand, which the op sets for each floating-point operand, unless
      `hasGradientFor` is false. A gradient has the operand's element type, and the
      operand's shape or a shape to which that broadcasts: the caller sums over the
      repeated dimensions. The caller erases gradients that are not used, so the op may
      build all of them.

      Fails with a diagnostic at the op if the op, with its attributes and types, has no
      gradient.
    }], "::mlir::LogicalResult", "buildAdjoint", (ins
      "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$resultGradients,
      "::llvm::MutableArrayRef<::mlir::Value>":$operandGradients)>,
    InterfaceMethod<[{
      Whether `buildAdjoint` gives operand `operand`, which is floating point, a gradient.
      An op for which this is false says that its results do not depend on the operand
      smoothly, or that another gradient accounts for it. The operand's gradient is then
      zero.
    }], "bool", "hasGradientFor", (ins "unsigned":$operand),
      /*methodBody=*/"", /*defaultImplementation=*/"return true;">,
  ];
}

#endif  // DIALECTS_NN_NNINTERFACES_TD_
