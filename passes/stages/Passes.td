#ifndef PASSES_STAGES_PASSES_TD_
#define PASSES_STAGES_PASSES_TD_

include "mlir/Pass/PassBase.td"

def CutStages : Pass<"sbp-cut-stages", "::mlir::ModuleOp"> {
  let summary = "Makes each stage of an entry a function of its own";
  let description = [{
    The ops of an entry that are of one stage (`sbp.stage`, see `sbp.stages`) become
    a private function, which the entry calls: one call per stage, in their order. So
    a stage is differentiated like a layer, and its forward half says what it saves.

    ```mlir
    %h = nn.einsum "bi,ij->bj" %x, %w0 {sbp.stage = 0} : ...
    %r = nn.relu %h : ...
    %y = nn.einsum "bi,ij->bj" %r, %w1 {sbp.stage = 1} : ...
    // becomes
    %r = func.call @loss.stage0(%x, %w0) : ...
    %y = func.call @loss.stage1(%r, %w1) : ...
    ```

    The functions carry `sbp.stage` in place of the ops.

    An op without `sbp.stage` is of the latest stage whose results it takes; where it
    takes none, of the earliest that takes what it makes. Parameters are read for each
    stage that wants them; constants are made in each.

    A module without `sbp.stages`, or one that is cut already, is left alone.
  }];
}

#endif  // PASSES_STAGES_PASSES_TD_
