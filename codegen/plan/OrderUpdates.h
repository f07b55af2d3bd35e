// Orders the tasks of an entry: gradients first, updates of parameters after.
//
// Whether an optimiser step is taken at all is decided when every gradient is
// complete and no parameter has changed yet. A program need not be written so:
// the boxing of a gradient stands just before the optimiser op that takes it,
// after other optimiser ops.
//
//   as written    einsum g1  einsum g2  reduce g1  sgd w1  reduce g2  sgd w2
//   ordered       einsum g1  einsum g2  reduce g1  reduce g2 | sgd w1  sgd w2
//
// Before the bar stand the tasks that a gradient or an output of the entry
// needs, unless they depend on an update. After it stand the others: the
// optimiser ops, the tasks that depend on results of optimiser ops, and the
// tasks that only optimiser ops need. In a program of several groups every task
// that does not depend on an update stands before the bar, since other ranks
// may need its result. The tasks of a loop stay together. On either side of the
// bar the order stays. A gradient of which each rank has a part counts as
// complete before it is gathered, so that the gathered gradients need not be in
// memory all at once.

#ifndef CODEGEN_PLAN_ORDERUPDATES_H_
#define CODEGEN_PLAN_ORDERUPDATES_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Orders the tasks of `list`, and sets its `firstUpdate` and `gradients`. A
/// gradient that depends on an update itself (a second optimiser step in one
/// entry) stays after the bar, and is not listed in `gradients`. In an entry
/// that sets no parameter, no task stands after the bar.
void orderUpdates(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_ORDERUPDATES_H_
