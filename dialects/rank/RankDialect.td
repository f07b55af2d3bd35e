#ifndef DIALECTS_RANK_RANKDIALECT_TD_
#define DIALECTS_RANK_RANKDIALECT_TD_

include "mlir/IR/OpBase.td"

def Rank_Dialect : Dialect {
  let name = "rank";
  let cppNamespace = "::sbp::rank";
  let summary = "The program of one rank";
  let description = [{
    The form of a placed program after it is split over ranks: the ops of `nn` on local
    tensors, and explicit collectives, each over named axes of the mesh.

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

    The *group* of a rank is the set of ranks whose coordinates differ from its own at
    most along the named axes. The members of a group are numbered row-major over these
    axes, major axis first. A dimension is split into parts as `dialects/sbp/Algebra.h`
    describes, so that the types of a collective and the rank's position in its group
    determine its result.

    A small collective at the end of a step may be combined with others in a *bucket*.
    Its attribute `rank.bucket` has the number of the step of its boxing, the bytes of
    its tensor on the rank that has most, and the bytes of a full bucket
    (`dialects/rank/Bucket.h`).

    ```mlir
    %sum = rank.all_reduce sum %terms over ["data"]
        {rank.bucket = array<i64: 0, 4096, 1048576>} : tensor<1024xf32>
    ```

    Collectives have a memory effect, so that no pass removes, duplicates, merges or
    reorders them: the other members of the group wait for each of them.

    Ranks that are in the same groups and have equal local shapes share a program. If
    every split extent divides evenly and all ranks are in the same groups, all ranks
    share one.
  }];
  let dependentDialects = ["::sbp::SbpDialect"];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif  // DIALECTS_RANK_RANKDIALECT_TD_
