// Traits and base classes of ops that compute, in the dialects of this repository and of
// plug-ins.
//
// A placement is the encoding of a tensor's type. MLIR's SameOperandsAndResultType and
// AllTypesMatch compare encodings, so an op with one of them takes operands and results in
// equal placements only. They suit an op of one operand whose every signature gives the
// operand and the result the same component. Any other op compares its types by a trait
// that ignores placements: one of this file, or MLIR's SameOperandsAndResultShape and
// SameOperandsAndResultElementType.

#ifndef DIALECTS_SBP_SBPOPBASE_TD_
#define DIALECTS_SBP_SBPOPBASE_TD_

include "dialects/sbp/SbpInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// ---- Traits -----------------------------------------------------------------

// All operands and results have the same shape and element type; placements may differ.
def Sbp_SameTypeUpToPlacement : NativeOpTrait<"SameTypeUpToPlacement"> {
  let cppNamespace = "::sbp";
}

// The trait's verifier runs before that of InferTypeOpInterface, which would report a
// second error ("failed to infer") for the same mistake.
def Sbp_HasInferredTypes : NativeOpTrait<"HasInferredTypes"> {
  let cppNamespace = "::sbp";
}

// The op infers the shapes and element types of its results. Builders need no result
// types, and the verifier compares the written types with the inferred ones; placements
// may differ.
def Sbp_InfersTypes : TraitList<[
    Sbp_HasInferredTypes,
    InferTypeOpAdaptorBase<[{
      static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                          ::mlir::TypeRange actual) {
        return ::sbp::haveSameShapes(inferred, actual);
      }
    }]>]>;

// ---- Base classes -----------------------------------------------------------

// An op that computes its results from its operands, without side effects. It declares
// its loops, from which its legal placements follow (dialects/sbp/LoopNest.h).
class Sbp_ComputeOp<Dialect dialect, string mnemonic, list<Trait> traits = []>
    : Op<dialect, mnemonic, !listconcat([Pure,
        DeclareOpInterfaceMethods<DistributedOpInterface>], traits)>;

// A computing op whose attributes refer to the whole tensor, or whose results depend on
// where a rank's part begins. It therefore builds its local form itself.
class Sbp_WholeComputeOp<Dialect dialect, string mnemonic, list<Trait> traits = []>
    : Op<dialect, mnemonic, !listconcat([Pure,
        DeclareOpInterfaceMethods<DistributedOpInterface, ["buildLocal"]>], traits)>;

#endif  // DIALECTS_SBP_SBPOPBASE_TD_
