#ifndef PASSES_LOCALIZE_PASSES_TD_
#define PASSES_LOCALIZE_PASSES_TD_

include "mlir/Pass/PassBase.td"

def Localize : Pass<"sbp-localize", "::mlir::ModuleOp"> {
  let summary = "Splits a boxed program into the programs of its ranks";
  let description = [{
    Moves the parameters and functions of the module into `rank.program`s. Every
    tensor becomes the part that a rank owns, every op its local op on such parts
    (`DistributedOpInterface::buildLocal`), and every `sbp.box` the cheapest path of
    collectives (`passes/boxing/Transitions.h`).

    ```mlir
    %z = sbp.box %y : tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), P(sum)]>>
                   to tensor<64x1024xf32, #sbp.nd<@cluster, [S(0), B]>>
    // becomes, where "node" has 2 devices
    %z = rank.all_reduce sum %y over ["gpu"] : tensor<32x1024xf32>
    ```

    Ranks whose parts all have the same shapes share one program. If every extent
    divides evenly, there is one program for all ranks.

    Parameters, and the arguments and results of public functions, keep their
    whole, placed type in the attribute `rank.whole`.

    A module that already has rank programs does not change.
  }];
  let dependentDialects = ["::sbp::rank::RankDialect"];
}

#endif  // PASSES_LOCALIZE_PASSES_TD_
