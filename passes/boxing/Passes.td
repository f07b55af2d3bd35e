#ifndef PASSES_BOXING_PASSES_TD_
#define PASSES_BOXING_PASSES_TD_

include "mlir/Pass/PassBase.td"

def InsertBoxing : Pass<"sbp-insert-boxing", "::mlir::ModuleOp"> {
  let summary = "Turns the placements that uses want into movements";
  let description = [{
    Replaces every `sbp.cast` by a `sbp.box`, and shares what can be shared: a
    tensor that is already boxed to the wanted placement is used again, and a
    new boxing starts from whichever version of the tensor makes it cheapest (an
    all-gather from the reduce-scattered version, say, rather than a second
    all-reduce from the partial one). Terms are reduced once: all versions without
    terms come from one, so that every use sees the same value to the last bit.

    What pipes of one schedule take (`nn.repeat` with `only`) is boxed before the
    first of them, as they run together.
  }];
  let dependentDialects = ["::sbp::SbpDialect"];
}

#endif  // PASSES_BOXING_PASSES_TD_
