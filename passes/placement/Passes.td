#ifndef PASSES_PLACEMENT_PASSES_TD_
#define PASSES_PLACEMENT_PASSES_TD_

include "mlir/Pass/PassBase.td"
include "passes/options/Options.td"

def Place : Pass<"sbp-place", "::mlir::ModuleOp"> {
  let summary = "Gives every tensor a placement, by search or by propagation";
  let description = [{
    Turns a logical or differentiated program into a placed one. Pins of tensors
    (`sbp.pin`) and of signatures (`sbp.signature`) are kept. One
    of two methods finds the placements that pins leave open.

    **Search** finds the plan with the least time on the machine, of all plans that
    keep the pins and fit into the memory of a device (`docs/search.md`). If it is not
    finished within `search-seconds`, or would need more than `search-memory`, it
    returns its best plan, which is no worse than the named strategies, and emits a
    remark. Only such a plan depends on the speed of the compiling machine.

    **Propagation** keeps tensors where they are, op by op. Each op takes the legal
    signature that changes the placement of the fewest operands; among those, the one
    with the cheapest boxing, by the alpha-beta cost of its collectives; among those,
    the one that leaves each device the least to compute. An operand with another
    placement gets a `sbp.cast`.

    - A placement that a result must have, because the user pinned it or because it
      is stored in a parameter, counts like an operand. A result that is pinned
      Partial comes first: its op splits a reduction.
    - A private function is placed once, by the arguments of its first call; later
      calls cast theirs. Effects on later ops are not considered.
    - Parameters without a pin are Broadcast. Inputs without a pin are Broadcast too,
      unless the module has no pin at all: then they are split along dimension 0 over
      the mesh, if it is long enough (data parallelism).

    A function is a layer, and all its calls are placed alike. With `layers=free`
    each call has its own copy, which may be placed otherwise. Copies that come out
    equal become one function again, whose attribute `sbp.calls` lists its calls. Calls
    of a function with `sbp.tied` are placed alike in any case.
  }];
  let options = [
    Option<"mesh", "mesh", "std::string", /*default=*/"",
      "Name of the sbp.mesh or sbp.machine on which to place the model, if it has "
      "several">,
    Option<"placeBy", "place-by", "::sbp::PlaceBy",
      /*default=*/"::sbp::PlaceBy::Search",
      "Method that chooses the placements of tensors without a pin: search, for the "
      "fastest plan by the machine's prices, or propagation, which keeps tensors in "
      "place op by op",
      [{llvm::cl::values(
          clEnumValN(::sbp::PlaceBy::Search, "search",
                     "The fastest plan by the machine's prices"),
          clEnumValN(::sbp::PlaceBy::Propagation, "propagation",
                     "Tensors stay in place, op by op"))}]>,
    Option<"divideLevels", "divide-levels", "bool", /*default=*/"false",
      "Give each prime factor of the size of a machine level an axis of its own, or "
      "each level two axes if these would be too many. This allows more plans, and "
      "the search takes longer">,
    Option<"space", "space", "::sbp::SearchSpace",
      /*default=*/"::sbp::SearchSpace::Full",
      "Plans among which the search chooses for the entry that trains: full for all "
      "plans, or autoddl for the plans of the AutoDDL paper",
      [{llvm::cl::values(
          clEnumValN(::sbp::SearchSpace::Full, "full", "All plans"),
          clEnumValN(::sbp::SearchSpace::AutoDdl, "autoddl",
                     "The plans of AutoDDL, for the training step"))}]>,
    Option<"layers", "layers", "::sbp::LayerPlans",
      /*default=*/"::sbp::LayerPlans::Tied",
      "Placement of the calls of a layer (a private function): tied places all calls "
      "alike, free places each call on its own, which may give a faster program, but "
      "takes longer to search and to compile",
      [{llvm::cl::values(
          clEnumValN(::sbp::LayerPlans::Tied, "tied", "All calls are placed alike"),
          clEnumValN(::sbp::LayerPlans::Free, "free",
                     "Each call is placed on its own"))}]>,
    MemoryOption, SearchSecondsOption, SearchMemoryOption,
    Option<"goal", "goal", "::sbp::SearchGoal",
      /*default=*/"::sbp::SearchGoal::Time", "Goal of the search",
      [{llvm::cl::values(
          clEnumValN(::sbp::SearchGoal::Time, "time",
                     "The fastest plan that fits into the memory"),
          clEnumValN(::sbp::SearchGoal::Memory, "memory",
                     "A plan that takes little memory"))}]>,
  ];
  let dependentDialects = ["::sbp::SbpDialect", "::sbp::rank::RankDialect"];
}

#endif  // PASSES_PLACEMENT_PASSES_TD_
