// The dialect of the plug-in: ops of the Transformer that is called Primer.

#ifndef PLUGINS_PRIMER_PRIMER_TD_
#define PLUGINS_PRIMER_PRIMER_TD_

include "codegen/kernels/KernelOp.td"
include "dialects/nn/NnInterfaces.td"
include "dialects/sbp/SbpInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Primer_Dialect : Dialect {
  let name = "primer";
  let cppNamespace = "::sbp::primer";
  let summary = "What Primer (So et al., 2021) has and nn has not";
}

def Primer_SquaredReluOp : Op<Primer_Dialect, "squared_relu", [
    Pure, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<DistributedOpInterface>,
    DeclareOpInterfaceMethods<Nn_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<KernelOpInterface, ["canWriteInPlace"]>]> {
  let summary = "max(x, 0)^2";
  let description = [{
    The activation between the two products of a feed-forward layer: as `nn.relu`,
    and then squared. It needs no memory between.

    ```mlir
    %a = primer.squared_relu %h : tensor<64x4096xf32>
    ```
  }];
  let arguments = (ins StaticShapeTensorOf<[AnyFloat]>:$input);
  let results = (outs StaticShapeTensorOf<[AnyFloat]>:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

#endif  // PLUGINS_PRIMER_PRIMER_TD_
