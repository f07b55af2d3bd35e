#include "passes/search/decisions/DecisionGraph.h"

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

}  // namespace sbp::search
