#ifndef PASSES_STAGES_PASSES_TD_
#define PASSES_STAGES_PASSES_TD_

include "mlir/Pass/PassBase.td"
include "passes/options/Options.td"

def ScheduleStages : Pass<"sbp-schedule-stages", "::mlir::ModuleOp"> {
  let summary = "Adds the schedule of a pipeline's training step";
  let description = [{
    Adds `sbp.schedule`, the order in which groups of ranks run their stages, to a
    program that is to be trained:

    - With `schedule`: the family of schedules that it names, such as `1f1b` or
      `interleaved<recompute = true>`, for the groups and stages of `sbp.stages` and for
      `micro-batches`; or a file with a row per group, whose name has a point or a
      slash. Fails if the family or the file does not fit the stages. With
      `recompute = true`, a family recomputes each stage that then holds the saved values
      of fewer micro-batches at once.
    - Without it: if there are several `micro-batches` and the module has no
      `sbp.schedule`, the family `list`, which takes any stages. If groups share ranks,
      no schedule is added, and one micro-batch runs after another.

    `execute=messages` marks the schedule, also one that the module has: groups then
    run whatever can run. Fails if there is no schedule.

    A family also recomputes each stage whose function does not keep all values
    (`sbp.keep`).

    A module without `sbp.stages`, or with nothing to train, does not change.
  }];
  let options = [
    ScheduleOption, MicroBatchesOption,
    Option<"execute", "execute", "::sbp::Execution",
      /*default=*/"::sbp::Execution::Static",
      "Order in which ranks run their tasks: static for the order of the schedule, or "
      "messages for any task whose inputs have arrived, backwards first. With messages "
      "the schedule only limits how many micro-batches a stage holds",
      [{llvm::cl::values(
          clEnumValN(::sbp::Execution::Static, "static",
                     "In the order of the schedule"),
          clEnumValN(::sbp::Execution::Messages, "messages",
                     "Any task whose inputs have arrived, backwards first"))}]>,
  ];
}

def CutStages : Pass<"sbp-cut-stages", "::mlir::ModuleOp"> {
  let summary = "Makes each stage of an entry a function of its own";
  let description = [{
    The ops of one stage of an entry (`sbp.stage`, see `sbp.stages`) become a private
    function, which the entry calls: one call per stage, in order. So a stage is
    differentiated like a layer, and its forward half returns what it saves.

    ```mlir
    %h = nn.einsum "bi,ij->bj" %x, %w0 {sbp.stage = 0} : ...
    %r = nn.relu %h : ...
    %y = nn.einsum "bi,ij->bj" %r, %w1 {sbp.stage = 1} : ...
    // becomes
    %r = func.call @loss.stage0(%x, %w0) : ...
    %y = func.call @loss.stage1(%r, %w1) : ...
    ```

    The functions have the attribute `sbp.stage` instead of the ops.

    - An op without `sbp.stage` belongs to the latest stage whose results it takes; if
      it takes none, to the earliest stage that takes its result.
    - A parameter is read in each stage that uses it; a constant is made in each.
    - An `nn.set` stays in the entry, after the calls: it runs where the parameter lies,
      whichever stage makes its value.

    If the module has a schedule (`sbp.schedule`), it is checked: its rows must be able
    to run together, on the groups of `sbp.stages`. In a function that is to be trained,
    stages get the attributes that the schedule needs: `sbp.split_backward` if a
    backward runs in halves, `sbp.keep = #sbp.keep<inputs>` if a forward is recomputed.
    A stage that has `sbp.keep` already keeps it; it is an error if the schedule does not
    agree.

    A module without `sbp.stages` does not change. One that is cut already is only
    checked and gets these attributes.
  }];
}

def DividePipes : Pass<"sbp-divide-pipes", "::mlir::ModuleOp"> {
  let summary = "Makes one loop over micro-batches per pipe of the schedule";
  let description = [{
    If the schedule (`sbp.schedule`) runs a stage on several groups, micro-batches take
    several ways through the stages. Each way is a *pipe*. The repeated function becomes
    one function per pipe, which calls functions of stages on other groups than those of
    `sbp.stages` (`sbp.group`). The sums of all pipes are added.

    ```mlir
    %g = nn.repeat 4 @part(%w, %xs) : ...
    // becomes
    %a = nn.repeat 4 only [2, 3] @part(%w, %xs) : ...
    %b = nn.repeat 4 only [0, 1] @part.pipe1(%w, %xs) : ...
    %g = nn.add %b, %a : ...
    ```

    The last pipe is the one with most stages on the groups of `sbp.stages`; the sums
    are added there.

    A parameter and its optimiser state lie on the group of its stage in `sbp.stages`.
    A program without a schedule, or with one pipe on these groups, does not change.
  }];
}

#endif  // PASSES_STAGES_PASSES_TD_
