#ifndef DIALECTS_NN_NNDIALECT_TD_
#define DIALECTS_NN_NNDIALECT_TD_

include "mlir/IR/OpBase.td"

def Nn_Dialect : Dialect {
  let name = "nn";
  let cppNamespace = "::sbp::nn";
  let summary = "Neural networks on whole tensors";
  let description = [{
    A model on whole tensors, without devices. A layer is a private `func.func`; a
    layer that occurs several times is called several times, with other parameters. A
    public function is an entry, which a compiled program can run.

    ```mlir
    nn.parameter @w : tensor<4x8xf32> = #nn.normal<0.02>
    func.func @predict(%x: tensor<2x4xf32> {nn.input = "x"})
        -> (tensor<2x8xf32> {nn.output = "y"}) {
      %w = nn.get @w : tensor<4x8xf32>
      %h = nn.einsum "bi,ij->bj" %x, %w
         : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
      %y = nn.relu %h : tensor<2x8xf32>
      return %y : tensor<2x8xf32>
    }
    ```

    Training minimises the function with the attribute `nn.optimizer`, whose only result
    is a scalar loss. From it `--sbp-differentiate` makes the entry `train_step`, whose
    attribute `nn.trained_by` names the optimiser.

    `nn.below = 65 : i64` on an argument of an entry states that its integers are at
    least 0 and below 65; a program refuses other data. `--sbp-bound-inputs` adds the
    attribute where integers are used as indices.

    All tensors have static shapes. Every op that computes declares its loops
    (`DistributedOpInterface`), so that it can be placed on any mesh. One rank runs the
    same ops on local tensors.

    `--canonicalize` changes no bit of a result. Ops that change nothing are their
    operand: `nn.mul` by 1, `nn.neg` of `nn.neg`, a cast there and back through a type
    that has every number; but not `nn.add` of 0, which makes -0 to 0. An op with an
    attribute that is not its own, such as `sbp.stage` or `nn.reduced_in`, stays.

    The constraints of an op are numbered, (C1), (C2), ...; its verifier reports the one
    that a program breaks. Where a constraint speaks of equal types, placements may
    differ: which placements go together is a constraint of its own, the same for every
    op that computes (the page of the `sbp` dialect has it).
  }];
  let dependentDialects = ["::sbp::SbpDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif  // DIALECTS_NN_NNDIALECT_TD_
