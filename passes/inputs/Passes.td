#ifndef PASSES_INPUTS_PASSES_TD_
#define PASSES_INPUTS_PASSES_TD_

include "mlir/Pass/PassBase.td"

def BoundInputs : Pass<"sbp-bound-inputs", "::mlir::ModuleOp"> {
  let summary = "Finds which integers the inputs of the entries may hold";
  let description = [{
    An index outside its table has no row, and a label that is no class no
    likelihood. Which data a program can take is known when it is compiled: every
    integer input that reaches an op that chooses by it (`IndexOpInterface`) gets
    the attribute `nn.below`, and the program refuses data with other integers
    before its first step.

    ```mlir
    func.func @predict(%tokens: tensor<2x8xi32> {nn.input = "tokens"}) ...
      %e = nn.embedding %table, %tokens
         : (tensor<65x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf32>
    // becomes
    func.func @predict(%tokens: tensor<2x8xi32> {nn.input = "tokens",
                                                 nn.below = 65 : i64}) ...
    ```

    Inputs are followed through calls, through ops that keep elements (reshape,
    concat, pad, ...), and through slices where these together take the whole
    tensor. What reaches such an op through arithmetic, or is chosen by a mask, is
    left alone: there the model decides itself what its data become. The least of
    several bounds holds, one that stands there already included.

    Programs of every form on whole tensors may be given; a local one is left
    alone.
  }];
}

#endif  // PASSES_INPUTS_PASSES_TD_
