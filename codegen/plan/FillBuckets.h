// Puts small collectives into buckets, which travel as one message per peer.
//
// A collective that may go into a bucket has an attribute that states its own
// bytes and the bytes of a full bucket (dialects/rank/Bucket.h). A bucket takes
// collectives of one kind, in the order of the list, until the next one would
// not fit. The bucket runs where its last collective stood, or later if an
// operand is not computed yet there:
//
//   before    einsum g1   reduce g1   einsum g2   reduce g2
//   after     einsum g1   einsum g2   reduce g1 + reduce g2
//
// Tasks that need results of a bucket are moved after it. A collective that
// needs results of a bucket goes into another bucket. All tasks of a bucket
// must run equally often. So a bucket has tasks of one section of the list
// only. A section is the tasks between two loops and on one side of the first
// update, or a block that runs once.

#ifndef CODEGEN_PLAN_FILLBUCKETS_H_
#define CODEGEN_PLAN_FILLBUCKETS_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Orders the tasks of `list` so that the tasks of a bucket stand one after the
/// other, and sets ListedTask::bucket. Ranks that take part in the same
/// collectives fill the same buckets. A collective that is alone in its bucket
/// has no bucket number.
void fillBuckets(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_FILLBUCKETS_H_
