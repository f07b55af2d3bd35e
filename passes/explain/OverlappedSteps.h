// How long a step takes where steps overlap, and when its tasks run.
//
// One step by itself says what each task costs; the schedule says what waits
// for what over several steps (passes/schedule/Repetition.h). Together they
// give the time from one step to the next once the pipeline is full.

#ifndef PASSES_EXPLAIN_OVERLAPPEDSTEPS_H_
#define PASSES_EXPLAIN_OVERLAPPEDSTEPS_H_

#include "passes/explain/PipelineExplanation.h"
#include "passes/schedule/Table.h"

namespace sbp {

/// Makes `run`, which is of one step by itself, that of steps that overlap as
/// `table` has them; its slices are those of as many steps as show that. What
/// crosses between groups is taken to need as long as it does on average.
void overlapSteps(const schedule::Table& table, ExplainedRun& run);

}  // namespace sbp

#endif  // PASSES_EXPLAIN_OVERLAPPEDSTEPS_H_
