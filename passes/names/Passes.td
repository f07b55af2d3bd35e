#ifndef PASSES_NAMES_PASSES_TD_
#define PASSES_NAMES_PASSES_TD_

include "mlir/Pass/PassBase.td"

def SpellNames : Pass<"sbp-spell-names", "::mlir::ModuleOp"> {
  let summary = "Calls tensors what the text of the program calls them";
  let description = [{
    A name in a text is an identifier, and each value of a function has another. A
    tensor that is called "gradient of hidden" gets the name `gradient_of_hidden`, a
    second one `gradient_of_hidden_0`.

    The pipelines `--sbp-to-FORM` end each form so. A program is then the same
    whether its forms are printed and read again on the way or not.
  }];
}

#endif  // PASSES_NAMES_PASSES_TD_
