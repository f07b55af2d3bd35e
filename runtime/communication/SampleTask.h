// Sample collectives for measurements: all-reduce, reduce-scatter, all-gather
// and all-to-all.
//
// The size of a sample is the size of the whole tensor in bytes: what an
// all-reduce, reduce-scatter or all-to-all reads on each rank, or an all-gather
// writes.

#ifndef RUNTIME_COMMUNICATION_SAMPLETASK_H_
#define RUNTIME_COMMUNICATION_SAMPLETASK_H_

#include <cstdint>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// Returns a size in bytes of the arena that suffices for a sample of about
/// `bytes` bytes.
int64_t sampleArenaBytes(int64_t bytes);

/// Returns the size in bytes of the tensor of a sample of about `bytes` bytes:
/// rounded down to the same number of elements for each member, at least one.
int64_t sampleBytes(int64_t members, int64_t bytes);

/// Returns a collective of f32 over the axes `axes` of the plan's first group,
/// among `members` ranks, of size sampleBytes(members, bytes). `in` is at
/// offset 0; `out` is there too if `isInPlace`, which only an all-reduce may
/// be.
plan::CollectiveTask sampleTask(plan::CollectiveTask::Kind kind,
                                std::vector<int64_t> axes, int64_t members,
                                int64_t bytes, bool isInPlace);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_SAMPLETASK_H_
