#include "codegen/plan/PlanPlaces.h"

#include "dialects/rank/Rank.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/names/Names.h"

namespace sbp {

void PlanPlaces::addPlaceOf(Operation* op, std::vector<Key>& origin) {
  mlir::FileLineColLoc place = placeInFile(op->getLoc());
  if (!place) return;
  const auto next = static_cast<int64_t>(places_.files.size());
  auto [file, isNew] = files_.try_emplace(place.getFilename(), next);
  if (isNew) places_.files.push_back(place.getFilename().str());
  const Key key = {file->second, place.getLine(), place.getColumn()};
  if (!llvm::is_contained(origin, key)) origin.push_back(key);
}

int64_t PlanPlaces::originOf(ArrayRef<Operation*> ops) {
  std::vector<Key> origin;
  for (Operation* op : ops) {
    auto fused = llvm::dyn_cast<rank::FusedOp>(op);
    if (!fused) {
      addPlaceOf(op, origin);
      continue;
    }
    // Constants in the body are no ops of their own, but numbers in the kernel.
    for (Operation& inner : fused.getBody().front().without_terminator())
      if (inner.getNumOperands() > 0) addPlaceOf(&inner, origin);
  }
  if (origin.empty()) return plan::kUnknownOrigin;
  const auto next = static_cast<int64_t>(places_.origins.size());
  auto [known, isNew] = origins_.try_emplace(origin, next);
  if (!isNew) return known->second;
  std::vector<plan::Place>& added = places_.origins.emplace_back();
  for (auto [file, line, column] : origin)
    added.push_back({file, line, column});
  return next;
}

}  // namespace sbp
