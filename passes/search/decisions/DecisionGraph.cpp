#include "passes/search/decisions/DecisionGraph.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

namespace sbp::search {

PlacementTable::Number PlacementTable::numberOf(
    llvm::ArrayRef<Component> placement) {
  auto [entry, isNew] = numbers_.try_emplace(
      std::vector<Component>(placement.begin(), placement.end()),
      static_cast<Number>(placements_.size()));
  if (isNew) {
    placements_.emplace_back(placement);
    isPartial_.push_back(
        llvm::any_of(placement, [](Component c) { return c.isPartial(); }));
  }
  return entry->second;
}

bool DecisionGraph::isInPipeline(const Moment& moment) const {
  for (auto [frame, op] : llvm::zip(functions, moment))
    if (op >= 0 && !frame.holds.empty()) return true;
  return false;
}

llvm::SmallVector<PlacementTable::Number, 4> DecisionGraph::placementsOf(
    const Flow& flow, llvm::ArrayRef<int32_t> assignment) const {
  auto at = [&](Slot slot) {
    return placementAt(slot, assignment[slot.decision]);
  };
  llvm::SmallVector<PlacementTable::Number, 4> placements = {at(flow.made)};
  for (const Flow::Use& use : flow.uses) placements.push_back(at(use.slot));
  return placements;
}

int64_t Frame::copiesOf(int64_t first, int64_t last) const {
  int64_t copies = 0;
  for (const Hold& hold : holds)
    if (first <= hold.from && last >= hold.until)
      copies = std::max(copies, hold.copies);
  return copies;
}

}  // namespace sbp::search
