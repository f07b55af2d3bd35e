// From what a unit of each kind costs to what all units cost.

#ifndef PASSES_CUT_UNITPRICES_H_
#define PASSES_CUT_UNITPRICES_H_

#include <vector>

#include "passes/cut/EntryUnits.h"
#include "passes/cut/StageCut.h"
#include "passes/cut/UnitPricing.h"

namespace sbp {

/// The prices of all of `units` by a plan that has `prices` for their kinds.
/// They say which tensors several units keep: parameters that they read, and
/// what one makes or takes and another takes.
std::vector<UnitPrice> pricesOfUnits(const EntryUnits& units,
                                     const std::vector<KindPrice>& prices);

}  // namespace sbp

#endif  // PASSES_CUT_UNITPRICES_H_
