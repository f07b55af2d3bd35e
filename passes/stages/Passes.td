#ifndef PASSES_STAGES_PASSES_TD_
#define PASSES_STAGES_PASSES_TD_

include "mlir/Pass/PassBase.td"

def ScheduleStages : Pass<"sbp-schedule-stages", "::mlir::ModuleOp"> {
  let summary = "Says in which order groups run the stages of a training step";
  let description = [{
    Adds the `sbp.schedule` of a program in stages that is to be trained:

    - with `schedule`, what it names: a family of schedules, such as `1f1b` or
      `interleaved<recompute = true>`, for the groups and stages of `sbp.stages` and
      for `micro-batches`; or a file of rows, which has a point or a slash in its name.
      Fails where the family, or the file, is of other stages;
    - without it, if there are several `micro-batches` and the module has no
      `sbp.schedule`, that of the family `list`, which takes any stages.

    With `by-messages` the schedule, also that of the module, says so: groups then
    run what can run. Fails where there is none.

    Without `schedule` none is added where groups have ranks in common: one
    micro-batch then runs after another. A module without `sbp.stages`, or with
    nothing to be trained, is left alone.
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", "",
           "A family of schedules, or a file with a row per group">,
    Option<"microBatches", "micro-batches", "::sbp::MicroBatchCount", "0",
           "Into how many micro-batches a training step divides its batch; 0 for as "
           "many as the schedule has">,
    Option<"byMessages", "by-messages", "bool", "false",
           "Whether groups run what can run, in place of what the schedule has "
           "next">,
  ];
}

def CutStages : Pass<"sbp-cut-stages", "::mlir::ModuleOp"> {
  let summary = "Makes each stage of an entry a function of its own";
  let description = [{
    The ops of an entry that are of one stage (`sbp.stage`, see `sbp.stages`) become
    a private function, which the entry calls: one call per stage, in their order. So
    a stage is differentiated like a layer, and its forward half says what it saves.

    ```mlir
    %h = nn.einsum "bi,ij->bj" %x, %w0 {sbp.stage = 0} : ...
    %r = nn.relu %h : ...
    %y = nn.einsum "bi,ij->bj" %r, %w1 {sbp.stage = 1} : ...
    // becomes
    %r = func.call @loss.stage0(%x, %w0) : ...
    %y = func.call @loss.stage1(%r, %w1) : ...
    ```

    The functions carry `sbp.stage` in place of the ops.

    An op without `sbp.stage` is of the latest stage whose results it takes; where it
    takes none, of the earliest that takes what it makes. Parameters are read for each
    stage that wants them; constants are made in each. An `nn.set` stays in the entry,
    after the calls: it is done where the parameter lies, whatever stage makes its
    value.

    The schedule of the module (`sbp.schedule`), if it has one, is checked: whether
    the rows can be run together, and are of the groups that `sbp.stages` says. In a
    function that is to be trained, stages then say what the schedule needs of them:
    `sbp.split_backward` if a backward runs in halves, `sbp.recompute` if a forward is
    recomputed.

    A module without `sbp.stages`, or one that is cut already, is left as it is, but
    for that.
  }];
}

def DividePipes : Pass<"sbp-divide-pipes", "::mlir::ModuleOp"> {
  let summary = "Makes micro-batches that take several ways several pipes";
  let description = [{
    Where the schedule (`sbp.schedule`) runs a stage on several groups, micro-batches
    go several ways through the stages. What is repeated for each becomes a function
    per way, a *pipe*, which calls functions of stages on other groups than
    `sbp.stages` says (`sbp.group`); sums of the pipes are added.

    ```mlir
    %g = nn.repeat 4 @part(%w, %xs) : ...
    // becomes
    %a = nn.repeat 4 only [2, 3] @part(%w, %xs) : ...
    %b = nn.repeat 4 only [0, 1] @part.pipe1(%w, %xs) : ...
    %g = nn.add %b, %a : ...
    ```

    The last of them is the one of which most stages lie where `sbp.stages` says;
    there the sums are added.

    Parameters lie on the group that `sbp.stages` says; so does what optimisers keep.
    A program without a schedule, or whose micro-batches all go one way, the usual
    one, is left as it is.
  }];
}

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
    Option<"reduceIn", "reduce", "::sbp::ReduceIn",
      /*default=*/"::sbp::ReduceIn::F32",
      "The type in which it will add up terms of gradients in bf16",
      [{llvm::cl::values(
          clEnumValN(::sbp::ReduceIn::F32, "f32", "After the cast, exactly"),
          clEnumValN(::sbp::ReduceIn::BF16, "bf16",
                     "Before it, in half the bytes"))}]>,
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

#endif  // PASSES_STAGES_PASSES_TD_
