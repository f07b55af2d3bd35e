#ifndef CODEGEN_FUSE_PASSES_TD_
#define CODEGEN_FUSE_PASSES_TD_

include "mlir/Pass/PassBase.td"

def FuseElementwise : Pass<"sbp-fuse-elementwise", "::mlir::ModuleOp"> {
  let summary = "Makes one op, with one kernel, of element-wise ops that follow one another";
  let description = [{
    Joins element-wise ops of a local program (`ElementwiseOpInterface`) in `rank.fused`
    ops, whose kernel reads each operand and writes each result once:

    ```mlir
    %biased = nn.add %x, %bias : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %relu = nn.relu %biased : tensor<8x4xf32>
    // becomes
    %relu = rank.fused(%x, %bias) : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32> {
    ^bb0(%a: tensor<8x4xf32>, %b: tensor<4xf32>):
      %0 = nn.add %a, %b : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
      %1 = nn.relu %0 : tensor<8x4xf32>
      rank.yield %1 : tensor<8x4xf32>
    }
    ```

    A group of such ops runs where its last op stands. An op, with the group that it is
    in, joins the group of a later op that uses one of its results, or one of its
    operands, if

    - all results have one shape, and the ops belong to one task of a pipeline;
    - no other op uses a result before the later op;
    - no more memory is needed at any time than before. For the time in between, the
      operands whose lives get longer take no more than the results that are made later;
      when the group runs, operands and results, some of them in place, take no more than
      they did for one of the two;
    - the group has at most 16 operands and results, and its innermost loop, over which
      all operands are contiguous or repeat, stays as long as a vector.

    Constants of one repeated element become numbers in the kernel.

    The program computes the same bits as before. `sbpc` runs this pass on the local form,
    on the way to the plan. A program in which nothing can be joined does not change.
  }];
  let dependentDialects = ["::sbp::rank::RankDialect"];
}

#endif  // CODEGEN_FUSE_PASSES_TD_
