// Orders the tasks of an entry: gradients first, updates of parameters after.
//
// When every gradient is complete, and before any parameter has changed, the
// runtime decides whether to take the optimiser step. A program need not be
// written in this order: the boxing of a gradient may stand just before the
// optimiser op that takes it, after other optimiser ops.
//
//   as written    einsum g1  einsum g2  reduce g1  sgd w1  reduce g2  sgd w2
//   ordered       einsum g1  einsum g2  reduce g1  reduce g2 | sgd w1  sgd w2
//
// The bar is TaskList::firstUpdate. Before the bar stand the tasks that a
// gradient or an output of the entry needs, unless they depend on an update.
// All other tasks stand after it: the optimiser ops, the tasks that depend on
// results of optimiser ops, and the tasks that only these need. If the module
// has transfers between groups, every task that does not depend on an update
// stands before the bar, since other ranks may need its result. The tasks of a
// loop stay together. On either side of the bar, tasks keep their order. If
// each rank has a part of a gradient, the gradient counts as complete before it
// is gathered. So the gathered gradients need not be in memory all at once.

#ifndef CODEGEN_PLAN_ORDERUPDATES_H_
#define CODEGEN_PLAN_ORDERUPDATES_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Orders the tasks of `list`, and sets `list.firstUpdate` and
/// `list.gradients`. A gradient that depends on an update, as in a second
/// optimiser step of one entry, stays after the bar and is not listed in
/// `gradients`. In an entry that sets no parameter, no task stands after the
/// bar, and no gradients are listed.
void orderUpdates(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_ORDERUPDATES_H_
