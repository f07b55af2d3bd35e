// What the units of an entry send to each other where they are cut apart.
//
// A tensor that one unit makes and a later one takes crosses each cut between
// them, in every micro-batch, and so does its gradient on the way back. A
// parameter that units on both sides of a cut read crosses it once per step.

#ifndef PASSES_CUT_UNITTRANSFERS_H_
#define PASSES_CUT_UNITTRANSFERS_H_

#include <vector>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "passes/cut/EntryUnits.h"
#include "passes/cut/UnitPricing.h"

namespace sbp {

struct StageGroupList {
  std::vector<mlir::FlatSymbolRefAttr> names;
  std::vector<Mesh> meshes;      // that they name
  std::vector<int64_t> ofStage;  // by stage, an index of both
  Mesh machine;                  // its axes are levels
};

/// Per stage but the last, and per unit, the seconds that what crosses takes in
/// a step if the next stage begins with that unit (UnitChain). Tensors lie as
/// `prices`, those of all kinds, have them.
std::vector<std::vector<double>> transfersOf(
    const EntryUnits& units, const std::vector<KindPrice>& prices,
    const StageGroupList& groups, int64_t microBatches);

}  // namespace sbp

#endif  // PASSES_CUT_UNITTRANSFERS_H_
