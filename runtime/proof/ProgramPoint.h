// Points of a running program, and their descriptions in terms of the schedule:
// not "task 212", but "stage 1, backward, micro-batch 3".

#ifndef RUNTIME_PROOF_PROGRAMPOINT_H_
#define RUNTIME_PROOF_PROGRAMPOINT_H_

#include <cstdint>
#include <string>

#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// A run of a task, for a micro-batch and a step.
struct ProgramPoint {
  int64_t task = 0;        // index into EntryProgram::tasks
  int64_t loop = -1;       // index into EntryProgram::loops; outside loops: -1
  int64_t block = -1;      // index into plan::blocksOf(loop); outside loops: -1
  int64_t microBatch = 0;  // outside loops: 0
  int64_t step = 0;        // counted from 0
};

/// Describes `point`, a point of `program`:
///
///   "stage 1, backward, micro-batch 3"     in a block, by its title
///   "stage 1, backward, all micro-batches" in a block that runs once
///   "micro-batch 3"                        in a block without a title
///   "before the micro-batches, task 5"     before the first loop
///   "after the micro-batches, task 212"    elsewhere outside loops
///   "task 212"                             if the program has no loops
///
/// If the program has loops and the step is not 0, ", step 2" is added.
std::string describe(const plan::EntryProgram& program,
                     const ProgramPoint& point);

/// Returns a name for `task` of `entry`: "nn.gelu", "all_reduce",
/// "finish_receive of h", or "a copy" for a collective over no axes.
std::string nameOf(const plan::Plan& plan, const plan::Entry& entry,
                   const plan::Task& task);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_PROGRAMPOINT_H_
