#ifndef PASSES_PLACEMENT_PASSES_TD_
#define PASSES_PLACEMENT_PASSES_TD_

include "mlir/Pass/PassBase.td"
include "passes/options/Options.td"

def Place : Pass<"sbp-place", "::mlir::ModuleOp"> {
  let summary = "Gives every tensor a placement: pins, and what fits them best";
  let description = [{
    Turns a logical or differentiated program into a placed one. Pins are kept.
    What they leave open is found in one of two ways.

    By search: the plan that takes the machine the least time, of all plans that
    keep the pins and fit into the memory of a device (docs/search.md). The search
    ends in time: if it is not done within `search-seconds`, or would need more
    than `search-memory`, it takes the best plan that it has, which is none worse
    than the strategies that have a name, and says so by a remark. Only then does
    the plan depend on how fast the machine is.

    By propagation: tensors stay where they are. Each op takes the legal
    signature that asks the fewest of its operands to be laid otherwise; among
    those the cheapest boxing, by the alpha-beta cost of its collectives; among
    those the one that leaves each device the least to compute. Where an operand
    does lie otherwise, stands a `sbp.cast`.

    What an op's results must become, because the user pinned them or because they
    are stored in a parameter, counts like an operand. A result that is pinned
    Partial comes first: its op splits a reduction.

    A private function is placed as its first call gives it its arguments, once;
    later calls cast theirs. Nothing is chosen for its effect further on.

    A function is a layer, and all its calls are placed alike. With `layers=free`
    each call has a copy of its own, which may be placed otherwise; those that come
    out alike are one function again, which says by `sbp.calls` which calls it is
    for. Calls of a function with `sbp.tied` are placed alike in any case.

    Parameters without pin are Broadcast. Inputs without pin are Broadcast too,
    unless the module has no pin at all: then they are split along dimension 0
    over the mesh where it is long enough (data parallelism).
  }];
  let options = [
    Option<"mesh", "mesh", "std::string", /*default=*/"",
      "The sbp.mesh or sbp.machine to place on, where there are several">,
    Option<"placeBy", "place-by", "::sbp::PlaceBy",
      /*default=*/"::sbp::PlaceBy::Search",
      "How to find what pins leave open: search, for the cheapest plan by the "
      "machine's prices, or propagation, which leaves tensors where they are, op by "
      "op",
      [{llvm::cl::values(
          clEnumValN(::sbp::PlaceBy::Search, "search",
                     "The cheapest plan for the machine"),
          clEnumValN(::sbp::PlaceBy::Propagation, "propagation",
                     "Tensors stay where they are, op by op"))}]>,
    Option<"divideLevels", "divide-levels", "bool", /*default=*/"false",
      "Give each prime factor of a level of the machine an axis of its own, or each "
      "level two axes where these would be too many: there are more plans then, and "
      "the search takes longer">,
    Option<"space", "space", "::sbp::SearchSpace",
      /*default=*/"::sbp::SearchSpace::Full",
      "Plans that are searched for the entry that trains: full, all of them, or "
      "autoddl, those of AutoDDL",
      [{llvm::cl::values(
          clEnumValN(::sbp::SearchSpace::Full, "full", "All plans"),
          clEnumValN(::sbp::SearchSpace::AutoDdl, "autoddl",
                     "Those of AutoDDL, for the entry that trains"))}]>,
    Option<"layers", "layers", "::sbp::LayerPlans",
      /*default=*/"::sbp::LayerPlans::Tied",
      "Whether all calls of a layer, a private function, are placed alike, tied, or "
      "each for itself, free: that may be faster, and takes longer to search and to "
      "compile",
      [{llvm::cl::values(
          clEnumValN(::sbp::LayerPlans::Tied, "tied", "All calls are placed alike"),
          clEnumValN(::sbp::LayerPlans::Free, "free",
                     "Each call is placed for itself"))}]>,
    MemoryOption, SearchSecondsOption, SearchMemoryOption,
    Option<"goal", "goal", "::sbp::SearchGoal",
      /*default=*/"::sbp::SearchGoal::Time", "What is searched for",
      [{llvm::cl::values(
          clEnumValN(::sbp::SearchGoal::Time, "time",
                     "The fastest plan that fits"),
          clEnumValN(::sbp::SearchGoal::Memory, "memory",
                     "One that takes little memory"))}]>,
  ];
  let dependentDialects = ["::sbp::SbpDialect", "::sbp::rank::RankDialect"];
}

#endif  // PASSES_PLACEMENT_PASSES_TD_
