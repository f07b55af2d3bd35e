// Which collectives of a program travel together.

#ifndef RUNTIME_PLAN_BUCKETS_H_
#define RUNTIME_PLAN_BUCKETS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// The end of the bucket of tasks that begins with task `first` of `tasks`. A
/// task of no bucket is by itself.
int64_t bucketEnd(const std::vector<Task>& tasks, int64_t first);

/// Checks that the buckets of `program`, which runs `entry`, are such as
/// CollectiveTask::bucket says, and that all tasks of one run one right behind
/// the other, for one step. The program has passed all other checks that look
/// at it alone.
absl::Status checkBuckets(const Plan& plan, const Entry& entry,
                          const EntryProgram& program);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_BUCKETS_H_
