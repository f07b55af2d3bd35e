// Joins the optimiser ops of several parameters of one shape into one task.
//
// On a GPU, the optimiser op of a small parameter ends before the next one is
// launched. So optimiser ops become one task if they have the same kernelKey
// and are in the same call of a function. A task has at most as many as the
// kernel can run at once (KernelNeeds::mostAtOnce):
//
//   as listed   add t  adam w1  gather w1  adam w2  adam v1  gather w2
//   joined      add t  adam w1 w2  adam v1  gather w1  gather w2
//
// Afterwards, of the tasks from TaskList::firstUpdate on, those that do not
// depend on an optimiser op stand first, then the optimiser ops, then those
// that depend on one. So collectives have one order on all ranks of a group,
// whatever the shapes of the parts of parameters on each rank.

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
