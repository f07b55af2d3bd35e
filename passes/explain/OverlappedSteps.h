// The time per step of a pipeline whose steps overlap, and when its tasks run.
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
/// as in `table`. Its slices then show several steps, enough to see the
/// overlap. Its costs of tasks and crossings stay. Assumes that every transfer
/// between groups takes the mean time of all transfers in the run, and that a
/// group does all its work outside of tasks as its update.
void overlapSteps(const schedule::Table& table, ExplainedRun& run);

}  // namespace sbp

#endif  // PASSES_EXPLAIN_OVERLAPPEDSTEPS_H_
