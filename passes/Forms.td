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

def VerifySizes : Pass<"sbp-verify-sizes", "::mlir::ModuleOp"> {
  let summary = "Rejects tensors and functions that are too large to reckon with";
  let description = [{
    In a program of any form a tensor has at most 16 dimensions, and at most 2^46
    bytes (64 TiB), those of all ranks together. So products of sizes, and sums of
    many, are numbers of 64 bits. An entry runs at most 2^23 ops, those of a function
    once for each of its calls.
  }];
}

#endif  // PASSES_FORMS_TD_
