#ifndef PASSES_CUT_PASSES_TD_
#define PASSES_CUT_PASSES_TD_

include "mlir/Pass/PassBase.td"

def ChooseStages : Pass<"sbp-choose-stages", "::mlir::ModuleOp"> {
  let summary = "Cuts a model into stages by what its parts cost";
  let description = [{
    Divides the ranks into equal groups, and the entry that is trained into stages,
    where the busiest stage has least to do (docs/pipelines.md says how). What comes
    out is what a user would have written: an `sbp.mesh` per group, `sbp.stages`, and
    `sbp.stage` on the ops with which a stage begins, in all entries.

    ```mlir
    sbp.mesh @group0 of @host ranks [0, 1] [#sbp.axis<"rank" x 2 in "rank">]
    sbp.mesh @group1 of @host ranks [2, 3] [#sbp.axis<"rank" x 2 in "rank">]
    sbp.stages [@group0, @group1]
    ```

    `micro-batches` says into how many parts the step will be divided; it divides
    nothing. A model that has stages, or pins, is refused.
  }];
  let options = [
    Option<"stages", "stages", "::sbp::RankCount", /*default=*/"1", "How many stages">,
    Option<"groups", "groups", "::sbp::RankCount", /*default=*/"0",
      "On how many groups of ranks, which the stages take in turns or as the "
      "schedule has them; 0 for one each">,
    Option<"microBatches", "micro-batches", "::sbp::MicroBatchCount",
      /*default=*/"1",
      "Into how many parts a training step will divide its batch">,
    Option<"schedule", "schedule", "std::string", /*default=*/"",
      "The family of schedules, or a file with a row per group, that will run the "
      "stages, which says what is kept of them; empty: one like 1f1b">,
    Option<"memory", "memory", "::sbp::ByteCount", /*default=*/"0",
      "Bytes that may be taken of each device, if not what the machine says">,
    Option<"searchSeconds", "search-seconds", "::sbp::Seconds", /*default=*/"60",
      "After so many seconds the search for prices ends with those that it has">,
    Option<"searchMemory", "search-memory", "::sbp::ByteCount", /*default=*/"0",
      "Bytes that the compiler may have in memory while it searches; 0 for half "
      "of what is free, and eight gigabytes at most">,
  ];
  let dependentDialects = ["::sbp::SbpDialect"];
}

#endif  // PASSES_CUT_PASSES_TD_
