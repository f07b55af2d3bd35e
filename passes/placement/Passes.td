#ifndef PASSES_PLACEMENT_PASSES_TD_
#define PASSES_PLACEMENT_PASSES_TD_

include "mlir/Pass/PassBase.td"

def Place : Pass<"sbp-place", "::mlir::ModuleOp"> {
  let summary = "Gives every tensor a placement: pins, completed by propagation";
  let description = [{
    Turns a logical or differentiated program into a placed one. Pins are kept.
    The rest follows the tensors through the program: each op takes the legal
    signature that asks the fewest of its operands to be laid otherwise; among
    those the cheapest boxing, by the alpha-beta cost of its collectives; among
    those the one that leaves each device the least to compute. Where an operand
    does lie otherwise, stands a `sbp.cast`.

    What an op's results must become, because the user pinned them or because they
    are stored in a parameter, counts like an operand. A result that is pinned
    Partial comes first: its op splits a reduction.

    A private function is placed as its first call gives it its arguments, once;
    later calls cast theirs. Nothing is chosen for its effect further on: that is
    the search's task, which fills in more pins.

    Parameters without pin are Broadcast. Inputs without pin are Broadcast too,
    unless the module has no pin at all: then they are split along dimension 0
    over the mesh where it is long enough (data parallelism).
  }];
  let options = [
    Option<"mesh", "mesh", "std::string", /*default=*/"",
      "The sbp.mesh or sbp.machine to place on; needed when there are several">,
    Option<"strategy", "strategy", "::sbp::Strategy",
      /*default=*/"::sbp::Strategy::Propagate",
      "How to choose what pins leave open",
      [{llvm::cl::values(
          clEnumValN(::sbp::Strategy::Propagate, "propagate",
                     "Leave tensors where they are, op by op"),
          clEnumValN(::sbp::Strategy::Search, "search",
                     "The cheapest plan for the machine"))}]>,
  ];
  let dependentDialects = ["::sbp::SbpDialect"];
}

#endif  // PASSES_PLACEMENT_PASSES_TD_
