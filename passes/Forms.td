#ifndef PASSES_FORMS_TD_
#define PASSES_FORMS_TD_

include "mlir/Pass/PassBase.td"

class VerifyForm<string form, string what>
    : Pass<"sbp-verify-" # form, "::mlir::ModuleOp"> {
  let summary = "Rejects what does not belong in the " # form # " form";
  let description = what;
}

def VerifyLogical : VerifyForm<"logical", [{
  A logical program has whole tensors: no tensor type has a placement, there are no
  casts, boxes or rank programs, and no function calls itself.
}]>;

def VerifyDifferentiated : VerifyForm<"differentiated", [{
  A differentiated program is a logical program in which no function has the attribute
  `nn.optimizer`: nothing is left to differentiate.
}]>;

def VerifyPlaced : VerifyForm<"placed", [{
  In a placed program every tensor type of a function or parameter has a placement on
  one mesh, with a component for each of its axes. Loops that must be split evenly are
  split evenly. No pin is left.
}]>;

def VerifyBoxed : VerifyForm<"boxed", [{
  A boxed program is a placed program without `sbp.cast`: every movement is a
  `sbp.box`.
}]>;

def VerifyLocal : VerifyForm<"local", [{
  A local program consists of rank programs. No type in them has a placement, and
  together they have every rank of the mesh once.

  The placements that they declare are checked. The placement of a tensor is derived from
  `rank.whole` of the values that it is computed from, from the signatures of ops, and
  from collectives. It must be one that each op can take, and the one that `rank.whole`
  declares for a parameter that is set, or for a result. So a reduction that is left out
  is an error, and so is a mean that divides by the count of another tensor. A placement
  that cannot be derived, as of parts of one element after a reshape, is assumed to be
  right.

  Whenever an entry runs, a rank.transfer is sent as often on each rank of its source
  group as it is received on each rank of its target group.
}]>;

def VerifyTensors : Pass<"sbp-verify-tensors", "::mlir::ModuleOp"> {
  let summary = "Rejects values that no pass can handle";
  let description = [{
    In a program of any form every function has a body, and every argument, result
    and value of a function is a ranked tensor; a scalar has no dimensions. A tensor has
    at most 16 dimensions, and at most 2^46 bytes (64 TiB) on all ranks together. So
    products of sizes, and sums of many, fit into 64 bits. An entry runs at most 2^23
    ops, counting those of a function once per call. Ops to which a plug-in attaches
    `DistributedOpInterface` keep its constraints; ops that declare it always do.

    The tools check this when they read a program, and every pass checks it before it
    changes one.
  }];
}

#endif  // PASSES_FORMS_TD_
