// The times of transfers between stages, for each position at which the units
// of an entry (EntryUnits.h) may be cut into stages.
//
// A tensor that one unit makes and a later unit takes crosses each cut between
// the two units once per micro-batch. A parameter that is read on both sides of
// a cut crosses that cut once per step. If such a tensor or parameter has a
// gradient, the gradient crosses the same cuts in the other direction, and
// takes as long.

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
  std::vector<int64_t> ofStage;  // group of each stage, an index into names
  Mesh machine;                  // all ranks; its axes are the machine's levels
};

/// Returns UnitChain::transfers of `units`: `[s][u]` is the seconds per step of
/// the transfers from stage s to stage s + 1, if stage s + 1 begins with unit
/// u. `prices` are the prices of all kinds; they also say how tensors are
/// placed. Each tensor that a unit makes is sent `microBatches` times per step.
std::vector<std::vector<double>> transfersOf(
    const EntryUnits& units, const std::vector<UnitKindPrice>& prices,
    const StageGroupList& groups, int64_t microBatches);

}  // namespace sbp

#endif  // PASSES_CUT_UNITTRANSFERS_H_
