#ifndef DIALECTS_SBP_SBPDIALECT_TD_
#define DIALECTS_SBP_SBPDIALECT_TD_

include "mlir/IR/OpBase.td"

def Sbp_Dialect : Dialect {
  let name = "sbp";
  let cppNamespace = "::sbp";
  let summary = "Machines, meshes, and the placements of tensors on them";
  let description = [{
    The placement of a tensor on a mesh of devices has one component per mesh axis: Split
    along a dimension, `S(0)`; Broadcast, `B`; or Partial, `P(sum)`. The placement is the
    encoding of the tensor's type,

    ```mlir
    tensor<64x4096xf32, #sbp.nd<@cluster, [S(0), S(1)]>>
    ```

    so that a placed program has placed types. Every op that computes
    (`DistributedOpInterface`) has a set of legal signatures: placements of its operands
    and results, on one mesh axis, with which it can run. Where two ops need different
    placements of a tensor, an `sbp.box` converts between them.

    Machines and meshes are symbols of the module. `dialects/sbp/Algebra.h` has the
    placement algebra without IR, and `dialects/sbp/LoopNest.h` the rule from which the
    signatures of an op follow.

    An op that computes may have the attribute `sbp.signature`, a `#sbp.signature`, which
    pins the signatures by which it runs.

    A private function may have the attribute `sbp.keep`, a `#sbp.keep`, which says what it
    keeps for its backward pass. The backward pass computes the other values again.

    The function of a stage (`sbp.stage`) may have the attribute `sbp.split_backward`, for
    a backward pass in two halves. The functions that differentiation makes from it have an
    attribute `sbp.kind`, such as `#sbp.kind<F>` for the forward pass.

    **Constraints** on every op that computes
    - (C1) Either all operands and results have a placement, or none has.
    - (C2) All placements are on the same mesh, with the same number of components.
    - (C3) On each mesh axis the components of operands and results form one of the op's
      legal signatures.
    - (C4) The loops that the op declares fit its operands and results:
      `verifyLoopNest` in `dialects/sbp/DistributedOp.h` says how.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif  // DIALECTS_SBP_SBPDIALECT_TD_
