// Prices of all units of an entry (EntryUnits.h), from the prices of their
// kinds.

#ifndef PASSES_CUT_UNITPRICES_H_
#define PASSES_CUT_UNITPRICES_H_

#include <vector>

#include "passes/cut/EntryUnits.h"
#include "passes/cut/StageCut.h"
#include "passes/cut/UnitKindPricing.h"

namespace sbp {

/// Returns the prices of all `units`, in their order. `prices` are the prices
/// of their kinds. Fills in KeptTensor::keptBefore for tensors that several
/// units keep: parameters that several units read, and tensors that one unit
/// makes or takes and another unit takes.
std::vector<UnitPrice> pricesOfUnits(const EntryUnits& units,
                                     const std::vector<UnitKindPrice>& prices);

}  // namespace sbp

#endif  // PASSES_CUT_UNITPRICES_H_
