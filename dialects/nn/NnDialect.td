#ifndef DIALECTS_NN_NNDIALECT_TD_
#define DIALECTS_NN_NNDIALECT_TD_

include "mlir/IR/OpBase.td"

def Nn_Dialect : Dialect {
  let name = "nn";
  let cppNamespace = "::sbp::nn";
  let summary = "Neural networks on whole tensors";
  let description = [{
    A model as its author wrote it: whole tensors, no devices. A layer is a
    private `func.func`; a layer that repeats is called again with other
    parameters. A public function is an entry: what a compiled program can run.

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

    A function with the attribute `nn.optimizer`, whose one result is a scalar
    loss, is what training minimises: `--sbp-differentiate` makes the entry
    `train_step` from it, which says by `nn.trained_by` whose step it takes.

    An argument of an entry may say by `nn.below = 65 : i64` that its integers are
    at least 0 and below 65: a program refuses other data. `--sbp-bound-inputs`
    finds this out where integers choose something.

    All tensors have static shapes. Every op that computes declares its loops
    (`DistributedOpInterface`), so it can be placed on any mesh; the same ops, on
    local tensors, are what one rank runs.
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
