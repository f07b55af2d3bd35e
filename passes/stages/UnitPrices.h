// From what a unit of each kind costs to what all units cost.

#ifndef PASSES_STAGES_UNITPRICES_H_
#define PASSES_STAGES_UNITPRICES_H_

#include <vector>

#include "passes/stages/EntryUnits.h"
#include "passes/stages/StageCut.h"
#include "passes/stages/UnitPricing.h"

namespace sbp {

/// The prices of all of `units` by a plan that has `prices` for their kinds.
/// They say which tensors several units keep: parameters that they read, and
/// what one makes or takes and another takes.
std::vector<UnitPrice> pricesOfUnits(const EntryUnits& units,
                                     const std::vector<KindPrice>& prices);

}  // namespace sbp

#endif  // PASSES_STAGES_UNITPRICES_H_
