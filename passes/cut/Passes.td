#ifndef PASSES_CUT_PASSES_TD_
#define PASSES_CUT_PASSES_TD_

include "mlir/Pass/PassBase.td"

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
    Option<"stages", "stages", "::sbp::RankCount", /*default=*/"1", "Number of stages">,
    Option<"groups", "groups", "::sbp::RankCount", /*default=*/"0",
      "Number of groups of ranks, which the stages take in turns, or as the "
      "schedule needs them; 0: one per stage">,
    Option<"microBatches", "micro-batches", "::sbp::MicroBatchCount",
      /*default=*/"1",
      "Number of micro-batches that a training step will have">,
    Option<"schedule", "schedule", "std::string", /*default=*/"",
      "The family of schedules, or the file with a row per group, that will run "
      "the stages: it decides how much they keep in memory; empty: as 1f1b">,
    Option<"memory", "memory", "::sbp::ByteCount", /*default=*/"0",
      "Most bytes of each device that a stage may take; 0: what the machine says">,
    Option<"searchSeconds", "search-seconds", "::sbp::Seconds", /*default=*/"60",
      "Seconds after which the search for prices ends with its best ones">,
    Option<"searchMemory", "search-memory", "::sbp::ByteCount", /*default=*/"0",
      "Most bytes of memory that the compiler may use while it searches; 0: half "
      "of what is free, at most 8 GB">,
  ];
  let dependentDialects = ["::sbp::SbpDialect"];
}

#endif  // PASSES_CUT_PASSES_TD_
