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

  They make true what they say. How a tensor lies follows from `rank.whole` of what it
  is computed from, from the signatures of ops, and from collectives; it must be what
  an op can take, and what `rank.whole` says of the parameter that is set to it, or of
  the result that it is. So a reduction that is left out is an error, as is a mean
  that divides by the count of another tensor. What cannot be derived, as how parts
  of one element lie after a reshape, is taken to be right.

  A rank.transfer is sent as often on each rank of its source group as it is received
  on each of its target group, whenever an entry runs.
}]>;

def VerifyTensors : Pass<"sbp-verify-tensors", "::mlir::ModuleOp"> {
  let summary = "Rejects values that no pass can reckon with";
  let description = [{
    In a program of any form every function has a body, and every argument, result
    and value of a function is a ranked tensor: a number is one of no dimensions. A
    tensor has at most 16 dimensions, and at most 2^46 bytes (64 TiB), those of all
    ranks together. So products of sizes, and sums of many, are numbers of 64 bits.
    An entry runs at most 2^23 ops, those of a function once for each of its calls.

    The tools check this where they read a program, and every pass that changes one
    checks it before.
  }];
}

#endif  // PASSES_FORMS_TD_
