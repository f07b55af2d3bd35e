#ifndef PASSES_PLACEMENT_PASSES_TD_
#define PASSES_PLACEMENT_PASSES_TD_

include "mlir/Pass/PassBase.td"

def Place : Pass<"sbp-place", "::mlir::ModuleOp"> {
  let summary = "Gives every tensor a placement, by search or by propagation";
  let description = [{
    Turns a logical or differentiated program into a placed one. Pins are kept. One
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
      "The sbp.mesh or sbp.machine to place on; needed when there are several">,
    Option<"by", "by", "::sbp::PlaceBy",
      /*default=*/"::sbp::PlaceBy::Search",
      "How to find the placements that pins leave open",
      [{llvm::cl::values(
          clEnumValN(::sbp::PlaceBy::Propagation, "propagation",
                     "Keep tensors where they are, op by op"),
          clEnumValN(::sbp::PlaceBy::Search, "search",
                     "Take the cheapest plan for the machine"))}]>,
    Option<"divide", "divide-levels", "bool", /*default=*/"false",
      "Place on a mesh with an axis per prime factor of each level, or two "
      "axes per level if those would be too many">,
    Option<"space", "space", "::sbp::SearchSpace",
      /*default=*/"::sbp::SearchSpace::Full", "Which plans are searched",
      [{llvm::cl::values(
          clEnumValN(::sbp::SearchSpace::Full, "full", "All plans"),
          clEnumValN(::sbp::SearchSpace::AutoDdl, "autoddl",
                     "Those of AutoDDL, for the training step"))}]>,
    Option<"layers", "layers", "::sbp::LayerPlans",
      /*default=*/"::sbp::LayerPlans::Tied",
      "Whether all calls of a layer are placed alike",
      [{llvm::cl::values(
          clEnumValN(::sbp::LayerPlans::Tied, "tied", "All calls are"),
          clEnumValN(::sbp::LayerPlans::Free, "free",
                     "Each call is placed by itself"))}]>,
    Option<"memory", "memory", "::sbp::ByteCount", /*default=*/"0",
      "Most bytes of each device that a searched plan may take; 0: what the "
      "machine says">,
    Option<"searchSeconds", "search-seconds", "::sbp::Seconds", /*default=*/"60",
      "Seconds after which a search ends with its best plan">,
    Option<"searchMemory", "search-memory", "::sbp::ByteCount", /*default=*/"0",
      "Most bytes of memory that the compiler may use while it searches; 0: half "
      "of what is free, at most 8 GB">,
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
