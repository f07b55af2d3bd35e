#include "passes/search/reading/Follow.h"

#include <limits>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace sbp::search {
namespace {

/// Returns the number of components that differ from the wishes on `axis`.
int64_t numMissed(llvm::ArrayRef<Component> components,
                  llvm::ArrayRef<std::optional<Placement>> wishes,
                  size_t axis) {
  int64_t missed = 0;
  for (auto [component, wish] : llvm::zip(components, wishes))
    if (wish && (*wish)[axis] != component) ++missed;
  return missed;
}

}  // namespace

Component gradientOf(Component component) {
  return component.isSplit() ? component : Component::broadcast();
}

Placement gradientOf(llvm::ArrayRef<Component> placement) {
  Placement gradient;
  for (Component component : placement)
    gradient.push_back(gradientOf(component));
  return gradient;
}

std::optional<MeshSignature> follow(const LoopNest& nest, const Mesh& mesh,
                                    const Wishes& wishes) {
  auto signatures = signaturesOf(nest);
  llvm::SmallVector<const Signature*, 3> perAxis;
  for (size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    const Signature* best = nullptr;
    std::pair<int64_t, int64_t> fewest;
    for (const Signature& signature : signatures) {
      if (signature.communicates &&
          !llvm::is_contained(wishes.communicating, axis))
        continue;
      std::pair<int64_t, int64_t> missed(
          numMissed(signature.operands, wishes.operands, axis),
          numMissed(signature.results, wishes.results, axis));
      if (best && missed >= fewest) continue;
      best = &signature;
      fewest = missed;
    }
    perAxis.push_back(best);
  }
  return combine(nest, mesh, perAxis);
}

}  // namespace sbp::search
