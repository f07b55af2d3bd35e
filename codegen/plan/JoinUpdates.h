// Joins the updates of several parameters of one shape into one task.
//
// The optimiser op of a small parameter ends before a GPU has launched the next
// one. Optimiser ops of one kernel and one call of a function become one task,
// up to the number that the kernel can run at once (KernelNeeds::mostAtOnce):
//
//   as listed   add t  adam w1  gather w1  adam w2  adam v1  gather w2
//   joined      add t  adam w1 w2  adam v1  gather w1  gather w2
//
// Afterwards, tasks that do not depend on an update stand before all updates,
// and tasks that do stand after all updates. So collectives have one order on
// all ranks of a group, whichever shapes the parts of parameters have on each
// rank.

#ifndef CODEGEN_PLAN_JOINUPDATES_H_
#define CODEGEN_PLAN_JOINUPDATES_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Joins the optimiser ops of `list`, which orderUpdates() has ordered. Does
/// not join an optimiser op that depends on another one. Leaves the whole list
/// alone if a loop stands among the updates, or if no kernel can run several
/// ops.
void joinUpdates(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_JOINUPDATES_H_
