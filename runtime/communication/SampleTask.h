// Sample collectives for measurements: all-reduce, reduce-scatter, all-gather
// and all-to-all.
//
// The size of a sample is the size of its tensor in bytes. The tensor is what
// an all-reduce, reduce-scatter or all-to-all reads on each rank, and what an
// all-gather writes.

#ifndef RUNTIME_COMMUNICATION_SAMPLETASK_H_
#define RUNTIME_COMMUNICATION_SAMPLETASK_H_

#include <cstdint>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// Returns the size, in bytes, of an arena that is large enough for a sample of
/// about `bytes` bytes.
int64_t sampleArenaBytes(int64_t bytes);

/// Returns the exact size of a sample of about `bytes` bytes: each of `members`
/// ranks has the same number of f32 elements, at least one.
int64_t sampleBytes(int64_t members, int64_t bytes);

/// Returns a collective of `kind` and of f32, over `axes` of the plan's first
/// group. It has `members` members, and its size is sampleBytes(members,
/// bytes). `in` is at offset 0. If `isInPlace`, which is permitted only for an
/// all-reduce, `out` is at offset 0 too.
plan::CollectiveTask sampleTask(plan::CollectiveTask::Kind kind,
                                std::vector<int64_t> axes, int64_t members,
                                int64_t bytes, bool isInPlace);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_SAMPLETASK_H_
