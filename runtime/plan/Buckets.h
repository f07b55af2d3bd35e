// Buckets: collectives of a program that run as one, with shared messages
// (CollectiveTask::bucket).

#ifndef RUNTIME_PLAN_BUCKETS_H_
#define RUNTIME_PLAN_BUCKETS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Returns the index after the last task of the bucket that begins with task
/// `first` of `tasks`. A task without a bucket counts as a bucket of its own.
int64_t bucketEnd(const std::vector<Task>& tasks, int64_t first);

/// Checks that the buckets of `program`, a program of `entry`, obey the rules
/// of CollectiveTask::bucket, have at most kMostInBucket tasks, and that all
/// tasks of a bucket run consecutively, for the same step. `program` must have
/// passed the other checks of a single program (CheckTasks.h, CheckLoops.h).
absl::Status checkBuckets(const Plan& plan, const Entry& entry,
                          const EntryProgram& program);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_BUCKETS_H_
