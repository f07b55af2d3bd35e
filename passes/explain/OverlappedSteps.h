// The time per step of a pipeline whose steps overlap, and the times of its
// tasks.
//
// A single step gives the cost of each task; the schedule gives the
// dependencies across several steps (passes/schedule/Repetition.h). Together
// they give the time from one step to the next once the pipeline is full.

#ifndef PASSES_EXPLAIN_OVERLAPPEDSTEPS_H_
#define PASSES_EXPLAIN_OVERLAPPEDSTEPS_H_

#include "passes/explain/PipelineExplanation.h"
#include "passes/schedule/Table.h"

namespace sbp {

/// Turns `run`, which describes a single step, into a run of steps that overlap
/// as in `table`. Replaces its times, and its slices, which say when each group
/// does what, by those of several steps. Leaves `run.tasks` and
/// `run.crossings`, the costs of tasks and of tensors sent between groups, as
/// they are. Makes two approximations. Every transfer takes the mean time of
/// the transfers that tasks use. All work of a group outside tasks counts as
/// the first update in its row of `table`.
void overlapSteps(const schedule::Table& table, ExplainedRun& run);

}  // namespace sbp

#endif  // PASSES_EXPLAIN_OVERLAPPEDSTEPS_H_
