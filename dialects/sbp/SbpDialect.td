#ifndef DIALECTS_SBP_SBPDIALECT_TD_
#define DIALECTS_SBP_SBPDIALECT_TD_

include "mlir/IR/OpBase.td"

def Sbp_Dialect : Dialect {
  let name = "sbp";
  let cppNamespace = "::sbp";
  let summary = "How tensors lie on the devices of a machine";
  let description = [{
    A tensor lies on a mesh of devices by one component per mesh axis: Split
    along a dimension, `S(0)`; Broadcast, `B`; or Partial, `P(sum)`. The
    components are the encoding of the tensor's type,

    ```mlir
    tensor<64x4096xf32, #sbp.nd<@cluster, [S(0), S(1)]>>
    ```

    so a placed program is a program of placed types: the verifier of every op
    checks that the placements of its operands and results form one of the op's
    legal signatures, and where two ops disagree stands a `sbp.box`.

    Machines and meshes are symbols of the module. The placement algebra without
    IR is in `dialects/sbp/Algebra.h`; the rule from which the signatures of an
    op follow is in `dialects/sbp/LoopNest.h`.

    The function of a stage (`sbp.stage`) may ask for a backward in two halves
    (`sbp.split_backward`), and to be computed again rather than to save values
    (`sbp.recompute`). What differentiation makes of it says its kind
    (`sbp.kind`): "F" forward, "B" backward, "I" and "W" backward of inputs and
    of weights, "R" recomputation.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif  // DIALECTS_SBP_SBPDIALECT_TD_
