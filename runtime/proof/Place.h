// Where a rank is in an entry, in the words of who made the schedule: not
// "task 212", but "stage 1, backward, micro-batch 3".

#ifndef RUNTIME_PROOF_PLACE_H_
#define RUNTIME_PROOF_PLACE_H_

#include <cstdint>
#include <string>

#include "runtime/plan/Plan.h"

namespace sbp::proof {

/// A task as it runs, for one time of the loop that it stands in.
struct Place {
  int64_t task = 0;
  int64_t loop = -1;   // an index into EntryProgram::loops; none: -1
  int64_t block = -1;  // of the loop, as blocksOf() numbers them
  int64_t time = 0;
  int64_t step = 0;  // where steps overlap
};

/// "stage 1, backward, micro-batch 3", by the name of the block; "micro-batch
/// 3" in a loop whose blocks have no names; "behind the micro-batches, task
/// 212", or where there are none "task 212". With the step, where it is not the
/// first.
std::string describe(const plan::EntryProgram& program, const Place& place);

/// "nn.gelu", "all_reduce", "finish_receive of h".
std::string nameOf(const plan::Plan& plan, const plan::Entry& entry,
                   const plan::Task& task);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_PLACE_H_
