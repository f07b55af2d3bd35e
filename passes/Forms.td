#ifndef PASSES_FORMS_TD_
#define PASSES_FORMS_TD_

include "mlir/Pass/PassBase.td"

class VerifyForm<string form, string what>
    : Pass<"sbp-verify-" # form, "::mlir::ModuleOp"> {
  let summary = "Rejects what does not belong in the " # form # " form";
  let description = what;
}

def VerifyLogical : VerifyForm<"logical", [{
  A logical program is whole: no tensor type carries a placement, nothing is cast
  or boxed, there are no rank programs, and no function calls itself.
}]>;

def VerifyDifferentiated : VerifyForm<"differentiated", [{
  A differentiated program is a logical one in which nothing is left to train: no
  function has the attribute `nn.optimizer`.
}]>;

def VerifyPlaced : VerifyForm<"placed", [{
  In a placed program every tensor type of a function or parameter carries a
  placement on one mesh, with a component for each of its axes; loops whose parts
  must be equal are split into equal parts; no pin is left.
}]>;

def VerifyBoxed : VerifyForm<"boxed", [{
  A boxed program is a placed one without `sbp.cast`: what moves is said by
  `sbp.box`.
}]>;

def VerifyLocal : VerifyForm<"local", [{
  A local program consists of rank programs, in which no type carries a placement,
  and which together have every rank of the mesh once.
}]>;

#endif  // PASSES_FORMS_TD_
