#include "passes/boxing/Versions.h"

#include <limits>

#include "llvm/ADT/STLExtras.h"

namespace sbp {

Versions::Serving Versions::serve(PlacementNumber wanted, Seconds seconds,
                                  IsPartial isPartial) {
  auto existing = llvm::find(placements_, wanted);
  if (existing != placements_.end()) {
    Serving serving;
    serving.version = existing - placements_.begin();
    return serving;
  }
  // Terms are reduced only once: a version without Partial components is made
  // from another such version if one exists. A second reduction, in another
  // order, would round differently, so that uses of a tensor would see
  // different values. For example, the gradient of a maximum looks for the
  // element that equals the maximum, and would not find it.
  bool fromTerms = isPartial(wanted) || llvm::all_of(placements_, isPartial);

  Serving serving;
  serving.version = placements_.size();
  serving.isNew = true;
  serving.seconds = std::numeric_limits<double>::infinity();
  for (auto [version, placement] : llvm::enumerate(placements_)) {
    if (!fromTerms && isPartial(placement)) continue;
    double price = seconds(placement, wanted);
    if (price >= serving.seconds) continue;
    serving.seconds = price;
    serving.boxedFrom = version;
  }
  placements_.push_back(wanted);
  return serving;
}

}  // namespace sbp
