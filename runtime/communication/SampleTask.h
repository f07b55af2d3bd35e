// Collectives made up for measuring.
//
// n is the bytes of the whole tensor: what an all-reduce, reduce-scatter or
// all-to-all reads on each rank, what an all-gather writes.

#ifndef RUNTIME_COMMUNICATION_SAMPLETASK_H_
#define RUNTIME_COMMUNICATION_SAMPLETASK_H_

#include <cstdint>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// Bytes of arena that a sample of n bytes needs.
int64_t sampleArenaBytes(int64_t bytes);

/// Bytes of the tensor that is moved for a sample of about `bytes`: rounded
/// down so that the members divide it, one element for each at least.
int64_t sampleBytes(int64_t members, int64_t bytes);

/// A collective of f32 among the `members` ranks of a group over the mesh axes
/// `axes`. n is sampleBytes. `in` is at 0; `out` is there too if `isInPlace`,
/// which an all-reduce may be.
plan::CollectiveTask sampleTask(plan::CollectiveTask::Kind kind,
                                std::vector<int64_t> axes, int64_t members,
                                int64_t bytes, bool isInPlace);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_SAMPLETASK_H_
