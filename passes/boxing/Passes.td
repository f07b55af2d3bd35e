#ifndef PASSES_BOXING_PASSES_TD_
#define PASSES_BOXING_PASSES_TD_

include "mlir/Pass/PassBase.td"

def InsertBoxing : Pass<"sbp-insert-boxing", "::mlir::ModuleOp"> {
  let summary = "Turns casts between placements into movements of data";
  let description = [{
    Replaces every `sbp.cast` by a `sbp.box`, and shares boxes. If a tensor has
    already been boxed to the wanted placement, that box is used again. Otherwise
    the new box starts from the version of the tensor from which it is cheapest:
    for example an all-gather from the reduce-scattered version instead of a second
    all-reduce from the partial one.

    A partial tensor is reduced once: all versions that are not partial come from
    one of them, so every use sees the same bits.

    Operands of the pipes of one schedule (`nn.repeat` with `only`) are boxed before
    the first pipe, as the pipes run together.
  }];
  let dependentDialects = ["::sbp::SbpDialect"];
}

#endif  // PASSES_BOXING_PASSES_TD_
