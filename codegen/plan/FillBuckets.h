// Small collectives that nobody waits for travel together.
//
// A collective that says how much of a bucket it fills (dialects/rank/Bucket.h)
// waits for others of its kind, in the order of the list, until the bucket is
// full; the last of them has run when the bucket has:
//
//   before    einsum g1   reduce g1   einsum g2   reduce g2
//   after     einsum g1   einsum g2   reduce g1 + reduce g2
//
// What needs their results waits too, and is never in the same bucket. A bucket
// is of tasks that run as often: between two loops, on one side of the first
// update, or in one block that runs once.

#ifndef CODEGEN_PLAN_FILLBUCKETS_H_
#define CODEGEN_PLAN_FILLBUCKETS_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Orders the tasks of `list` so that those of a bucket stand one behind the
/// other, and numbers them (ListedTask::bucket). Ranks that meet in collectives
/// fill the same buckets.
void fillBuckets(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_FILLBUCKETS_H_
