#ifndef DIALECTS_RANK_RANKDIALECT_TD_
#define DIALECTS_RANK_RANKDIALECT_TD_

include "mlir/IR/OpBase.td"

def Rank_Dialect : Dialect {
  let name = "rank";
  let cppNamespace = "::sbp::rank";
  let summary = "The program of one rank";
  let description = [{
    What remains when a placed program is split over ranks: the ops of `nn` on
    local tensors, and explicit collectives with the mesh axes that they span.

    ```mlir
    rank.program @all on @cluster ranks [0, 1, 2, 3] {
      func.func @layer(%x: tensor<32x2048xf32>, %w: tensor<2048x1024xf32>)
          -> tensor<32x1024xf32> {
        %y = nn.einsum "bj,jk->bk" %x, %w
           : (tensor<32x2048xf32>, tensor<2048x1024xf32>) -> tensor<32x1024xf32>
        %z = rank.all_reduce sum %y over ["gpu"] : tensor<32x1024xf32>
        return %z : tensor<32x1024xf32>
      }
    }
    ```

    The *group* of a rank is the set of ranks that differ from it only in their
    coordinates along the named axes; its members are numbered row-major over
    those axes, major first. A dimension is cut into parts as
    `dialects/sbp/Algebra.h` says, so a collective's meaning follows from its
    types and from the rank's place in its group.

    A small collective at the end of a step may travel together with others. It says
    how much of a *bucket* it fills: which step of its boxing it is, the bytes of its
    tensor on the rank that has most, and those of a full bucket
    (`dialects/rank/Bucket.h`).

    ```mlir
    %sum = rank.all_reduce sum %terms over ["data"]
        {rank.bucket = array<i64: 0, 4096, 1048576>} : tensor<1024xf32>
    ```

    The ops of the dialect that take part in a collective have an effect: to leave
    one out, or to let two be one, changes what the other members wait for.

    Ranks whose local shapes are equal share a program. When every extent divides
    there is one.
  }];
  let dependentDialects = ["::sbp::SbpDialect"];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif  // DIALECTS_RANK_RANKDIALECT_TD_
