// Joins the optimiser ops of several parameters of one shape into one task.
//
// On a GPU, the optimiser op of a small parameter takes less time than its
// launch. So optimiser ops become one task if they have the same kernelKey and
// are in the same call of a function. A task has at most as many ops as the
// kernel can run at once (KernelNeeds::mostAtOnce):
//
//   as listed   add t  adam w1  gather w1  adam w2  adam v1  gather w2
//   joined      add t  adam w1 w2  adam v1  gather w1  gather w2
//
// Afterwards the tasks from TaskList::firstUpdate on stand in three parts:
// first the tasks that do not depend on an optimiser op, then the optimiser
// ops, then the tasks that depend on one. So all ranks of a group run their
// collectives in the same order, even if their parts of parameters differ in
// shape, so that they join different ops.

#ifndef CODEGEN_PLAN_JOINUPDATES_H_
#define CODEGEN_PLAN_JOINUPDATES_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Joins the optimiser ops of `list`, which orderUpdates() has ordered. An
/// optimiser op that depends on another one is not joined. Changes nothing if a
/// loop stands after TaskList::firstUpdate, or if no kernel of an optimiser op
/// can run several ops.
void joinUpdates(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_JOINUPDATES_H_
