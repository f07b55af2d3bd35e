// The times of transfers between stages, for each place where the units of an
// entry may be cut.
//
// A tensor that one unit makes and a later unit takes crosses each cut between
// these units once per micro-batch. A parameter that units on both sides of a
// cut read crosses that cut once per step. The gradient of such a tensor or
// parameter, if it has one, crosses the same cuts on the way back, and takes as
// long.

#ifndef PASSES_CUT_UNITTRANSFERS_H_
#define PASSES_CUT_UNITTRANSFERS_H_

#include <vector>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "passes/cut/EntryUnits.h"
#include "passes/cut/UnitKindPricing.h"

namespace sbp {

/// The groups of ranks on which stages run.
struct StageGroupList {
  std::vector<mlir::FlatSymbolRefAttr> names;
  std::vector<Mesh> meshes;      // by group, as `names`
  std::vector<int64_t> ofStage;  // group of each stage, an index into both
  Mesh machine;                  // all ranks; its axes are the machine's levels
};

/// Returns UnitChain::transfers of `units`: for each stage but the last, and
/// each unit, the seconds per step of the transfers from this stage to the next
/// one, if the next one begins with that unit. Tensors have the placements that
/// `prices`, the prices of all kinds, have.
std::vector<std::vector<double>> transfersOf(
    const EntryUnits& units, const std::vector<UnitKindPrice>& prices,
    const StageGroupList& groups, int64_t microBatches);

}  // namespace sbp

#endif  // PASSES_CUT_UNITTRANSFERS_H_
