#ifndef PASSES_CUT_PASSES_TD_
#define PASSES_CUT_PASSES_TD_

include "mlir/Pass/PassBase.td"
include "passes/options/Options.td"

def ChooseStages : Pass<"sbp-choose-stages", "::mlir::ModuleOp"> {
  let summary = "Cuts a model into pipeline stages of balanced cost";
  let description = [{
    Divides the ranks into equal groups, and the trained entry into stages, such that
    the busiest stage takes the least time (`docs/pipelines.md`). The result is what a
    user would write: an `sbp.mesh` per group, `sbp.stages`, and `sbp.stage` on the ops
    with which a stage begins, in all entries.

    ```mlir
    sbp.mesh @group0 of @host ranks [0, 1] [#sbp.axis<"rank" x 2 in "rank">]
    sbp.mesh @group1 of @host ranks [2, 3] [#sbp.axis<"rank" x 2 in "rank">]
    sbp.stages [@group0, @group1]
    ```

    `micro-batches` is the number of micro-batches that the step will have; this pass
    does not divide the batch. A model that has stages or pins is refused.
  }];
  let options = [
    Option<"stages", "stages", "::sbp::RankCount", /*default=*/"1",
      "Number of stages into which the model is cut, for a pipeline. The cut makes "
      "the slowest stage as fast as possible, and every stage fit into the memory">,
    Option<"groups", "groups", "::sbp::GroupCounts", /*default=*/"0",
      "Number of equal groups of ranks that run the stages, or one number per level "
      "of the machine, as 1x8x1. With fewer groups than stages, the groups take the "
      "stages in turns, or as the schedule assigns them (one group per stage)">,
    MicroBatchesOption, ReduceOption, ScheduleOption, MemoryOption, SearchSecondsOption,
    SearchMemoryOption,
    Option<"terse", "terse", "bool", /*default=*/"false",
      "Keep the error short if no cut fits: it then names no change that would help, "
      "which takes time to find">,
  ];
  let dependentDialects = ["::sbp::SbpDialect"];
}

#endif  // PASSES_CUT_PASSES_TD_
