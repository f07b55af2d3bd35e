// Updates of parameters of one shape run at once.
//
// An optimiser's step of a small parameter is over before a GPU has launched
// the next one. Steps that one kernel computes become one task, as many as the
// kernel can run at once:
//
//   as listed   add t  adam w1  gather w1  adam w2  adam v1  gather w2
//   joined      add t  adam w1 w2  adam v1  gather w1  gather w2
//
// What does not depend on an update stands in front of all updates, and what
// does behind them. So collectives have one order on all ranks of a group,
// whichever shapes the parts of parameters have there.

#ifndef CODEGEN_PLAN_JOINUPDATES_H_
#define CODEGEN_PLAN_JOINUPDATES_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Joins the optimisers' steps of `list`, which orderUpdates() has ordered.
/// Steps that depend on others stay, and all do where a loop stands among them.
void joinUpdates(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_JOINUPDATES_H_
