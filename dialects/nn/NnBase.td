// Types, attributes and base classes of the ops of the nn dialect.
//
// Constraints are numbered per op, (C1), (C2), ...: the verifier's check carries the
// number, and test/dialects/nn has an erroneous program `<op>_c<number>` for each.

#ifndef DIALECTS_NN_NNBASE_TD_
#define DIALECTS_NN_NNBASE_TD_

include "dialects/nn/NnAttrs.td"
include "dialects/nn/NnIndexInterface.td"
include "dialects/sbp/SbpOpBase.td"
include "dialects/support/AttributeText.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/SymbolInterfaces.td"

def Nn_Tensor : StaticShapeTensorOf<[AnyFloat, AnySignlessInteger]>;
def Nn_FloatTensor : StaticShapeTensorOf<[AnyFloat]>;
def Nn_IntegerTensor : StaticShapeTensorOf<[I32, I64]>;
def Nn_BoolTensor : StaticShapeTensorOf<[I1]>;
def Nn_NumberTensor : StaticShapeTensorOf<[AnyFloat, I32, I64]>;
def Nn_FloatScalar : 0DTensorOf<[AnyFloat]>;

// A floating-point attribute whose value satisfies `condition`, in words `which`.
class Nn_Number<string condition, string which>
    : ConfinedAttr<F64Attr, [AttrConstraint<CPred<
          "[](double value) { return " # condition # "; }("
          "::llvm::cast<::mlir::FloatAttr>($_self).getValueAsDouble())">,
          "whose value is " # which>]>;
def Nn_NotNegative : Nn_Number<"std::isfinite(value) && value >= 0",
                               "finite and at least 0">;
def Nn_Positive : Nn_Number<"std::isfinite(value) && value > 0",
                            "finite and above 0">;
def Nn_Decay : Nn_Number<"value >= 0 && value < 1", "at least 0 and below 1">;

// Number of elements by which a mean divides, where it is not that of the operand.
def Nn_OptionalCount : OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>;

class Nn_BaseOp<string mnemonic, list<Trait> traits = []>
    : Op<Nn_Dialect, mnemonic, traits>;

// An op of the dialect that computes; see dialects/sbp/SbpOpBase.td.
class Nn_ComputeOp<string mnemonic, list<Trait> traits = []>
    : Sbp_ComputeOp<Nn_Dialect, mnemonic, traits>;
class Nn_WholeComputeOp<string mnemonic, list<Trait> traits = []>
    : Sbp_WholeComputeOp<Nn_Dialect, mnemonic, traits>;

#endif  // DIALECTS_NN_NNBASE_TD_
