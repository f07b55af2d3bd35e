#ifndef PASSES_NAMES_PASSES_TD_
#define PASSES_NAMES_PASSES_TD_

include "mlir/Pass/PassBase.td"

def SpellNames : Pass<"sbp-spell-names", "::mlir::ModuleOp"> {
  let summary = "Names tensors as the printed form names them";
  let description = [{
    A name in a text is an identifier, and unique in its function. The tensor
    "gradient of hidden" gets the name `gradient_of_hidden`, a second one
    `gradient_of_hidden_0`.

    The pipelines `--sbp-to-FORM` run this pass at the end of each form. So the
    compiled program is the same, whether its forms are printed and read again on
    the way or not.
  }];
}

#endif  // PASSES_NAMES_PASSES_TD_
