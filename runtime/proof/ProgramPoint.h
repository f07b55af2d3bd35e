// Points of a running program, described in the words of its schedule: not
// "task 212", but "stage 1, backward, micro-batch 3".

#ifndef RUNTIME_PROOF_PROGRAMPOINT_H_
#define RUNTIME_PROOF_PROGRAMPOINT_H_

#include <cstdint>
#include <string>

#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// A task, with the micro-batch and step that it runs for.
struct ProgramPoint {
  int64_t task = 0;
  int64_t loop = -1;   // index into EntryProgram::loops; none: -1
  int64_t block = -1;  // index into the blocks of the loop (plan::blocksOf)
  int64_t microBatch = 0;
  int64_t step = 0;  // always 0 unless steps overlap
};

/// Returns "stage 1, backward, micro-batch 3", by the title of the block;
/// "micro-batch 3" in a loop whose blocks have no titles; outside loops "after
/// the micro-batches, task 212", or "task 212" if there are no loops. The step
/// is added unless it is 0.
std::string describe(const plan::EntryProgram& program,
                     const ProgramPoint& point);

/// Returns the name of what `task` does: "nn.gelu", "all_reduce",
/// "finish_receive of h".
std::string nameOf(const plan::Plan& plan, const plan::Entry& entry,
                   const plan::Task& task);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_PROGRAMPOINT_H_
