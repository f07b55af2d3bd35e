#ifndef PASSES_INPUTS_PASSES_TD_
#define PASSES_INPUTS_PASSES_TD_

include "mlir/Pass/PassBase.td"

def BoundInputs : Pass<"sbp-bound-inputs", "::mlir::ModuleOp"> {
  let summary = "Finds the range of integers that each input of an entry may hold";
  let description = [{
    An index outside its table selects no row, and a label outside the classes has no
    likelihood. The valid integers are known at compile time: every integer input that
    reaches an op that selects by it (`IndexOpInterface`) gets the attribute
    `nn.below`, and the program refuses data with other integers before its first
    step.

    ```mlir
    func.func @predict(%tokens: tensor<2x8xi32> {nn.input = "tokens"}) ...
      %e = nn.embedding %table, %tokens
         : (tensor<65x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf32>
    // becomes
    func.func @predict(%tokens: tensor<2x8xi32> {nn.input = "tokens",
                                                 nn.below = 65 : i64}) ...
    ```

    Inputs are followed through calls, through ops that keep elements (reshape,
    concat, pad, ...), and through slices that together take the whole tensor. An
    input that reaches such an op through arithmetic, or through a mask, gets no
    bound: the model itself decides what its data become. Of several bounds, the
    least holds, including one that the input already has.

    Works on every form with whole tensors. A local program does not change.
  }];
}

#endif  // PASSES_INPUTS_PASSES_TD_
