// Gradients first, updates behind them.
//
// Whether a step is to be taken at all is decided when every gradient is there
// and no parameter has changed. A program need not be written so: the boxing of
// a gradient stands before the optimiser's step that wants it, behind other
// steps.
//
//   as written    einsum g1  einsum g2  reduce g1  sgd w1  reduce g2  sgd w2
//   ordered       einsum g1  einsum g2  reduce g1  reduce g2 | sgd w1  sgd w2
//
// In front of the bar stands all that a gradient or an output of the entry
// needs, and behind it the rest: the optimiser's steps, and what is made of
// their results or for them alone. Where ranks are of several groups, all that
// does not depend on an update stands in front: other ranks may need it. Within
// each part the order stays. A gradient of which each rank has a part is there
// before it is gathered, so that the whole of each need not be in memory at
// once.

#ifndef CODEGEN_PLAN_ORDERUPDATES_H_
#define CODEGEN_PLAN_ORDERUPDATES_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Orders the tasks of `list` so, and sets `firstUpdate` and `gradients`. What
/// depends on an update itself (a second step in one entry) stays behind it,
/// and is none of the `gradients`. In an entry that sets no parameter, nothing
/// stands behind the bar.
void orderUpdates(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_ORDERUPDATES_H_
