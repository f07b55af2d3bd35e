// What the op definitions of the nn dialect share.

#ifndef DIALECTS_NN_NNBASE_TD_
#define DIALECTS_NN_NNBASE_TD_

include "dialects/nn/NnAttrs.td"
include "dialects/nn/NnIndexInterface.td"
include "dialects/sbp/SbpInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Nn_Tensor : StaticShapeTensorOf<[AnyFloat, AnySignlessInteger]>;
def Nn_FloatTensor : StaticShapeTensorOf<[AnyFloat]>;
def Nn_IntegerTensor : StaticShapeTensorOf<[I32, I64]>;
def Nn_BoolTensor : StaticShapeTensorOf<[I1]>;
def Nn_NumberTensor : StaticShapeTensorOf<[AnyFloat, I32, I64]>;
def Nn_FloatScalar : 0DTensorOf<[AnyFloat]>;

// A number that only some values make sense of.
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

class Nn_BaseOp<string mnemonic, list<Trait> traits = []>
    : Op<Nn_Dialect, mnemonic, traits>;

// An op that computes: no effects, and loops from which its placements follow.
class Nn_ComputeOp<string mnemonic, list<Trait> traits = []>
    : Nn_BaseOp<mnemonic, !listconcat([Pure,
        DeclareOpInterfaceMethods<DistributedOpInterface>], traits)>;

// A computing op that speaks of the whole tensor, or of where a part begins, and
// so builds its local form itself.
class Nn_WholeComputeOp<string mnemonic, list<Trait> traits = []>
    : Nn_BaseOp<mnemonic, !listconcat([Pure,
        DeclareOpInterfaceMethods<DistributedOpInterface, ["buildLocal"]>], traits)>;

// Verified before MLIR's own interface, which says of every mistake once more that
// the types could not be inferred: so one mistake is one error.
def Nn_HasInferredTypes : NativeOpTrait<"HasInferredTypes"> {
  let cppNamespace = "::sbp::nn";
}

// The op infers the shapes and element types of its results: builders need no
// types, and the verifier compares what was written, placements aside.
def Nn_InfersTypes : TraitList<[
    Nn_HasInferredTypes,
    InferTypeOpAdaptorBase<[{
      static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                          ::mlir::TypeRange actual) {
        return ::sbp::nn::haveSameShapes(inferred, actual);
      }
    }]>]>;

#endif  // DIALECTS_NN_NNBASE_TD_
