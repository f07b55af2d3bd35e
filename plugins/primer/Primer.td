// The dialect of the plug-in: an op of Primer, a Transformer found by search.

#ifndef PLUGINS_PRIMER_PRIMER_TD_
#define PLUGINS_PRIMER_PRIMER_TD_

include "codegen/kernels/KernelOp.td"
include "dialects/nn/NnInterfaces.td"
include "dialects/sbp/SbpOpBase.td"

def Primer_Dialect : Dialect {
  let name = "primer";
  let cppNamespace = "::sbp::primer";
  let summary = "Ops of Primer (So et al., 2021) that the nn dialect lacks";
}

// Operand and result lie alike in all signatures of the op, so SameOperandsAndResultType
// may compare placements too; an op of two operands has Sbp_SameTypeUpToPlacement.
def Primer_SquaredReluOp : Sbp_ComputeOp<Primer_Dialect, "squared_relu", [
    SameOperandsAndResultType,
    DeclareOpInterfaceMethods<Nn_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<ElementwiseOpInterface>]> {
  let summary = "squared rectified linear unit";
  let description = [{
    result = max(x, 0)^2, for each element x of the operand: the activation between the
    two matrix products of a feed-forward layer. As one op it keeps no result of
    `nn.relu` for the gradient.

    ```mlir
    %a = primer.squared_relu %h : tensor<64x4096xf32>
    ```

    **Constraints**
    - (C1) Operand and result have the same type.
  }];
  let arguments = (ins StaticShapeTensorOf<[AnyFloat]>:$input);
  let results = (outs StaticShapeTensorOf<[AnyFloat]>:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

#endif  // PLUGINS_PRIMER_PRIMER_TD_
