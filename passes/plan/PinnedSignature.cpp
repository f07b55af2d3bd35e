#include "passes/plan/PinnedSignature.h"

#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"

namespace sbp {

bool hasPinnedSignature(Operation* op) {
  return op->hasAttr(kSignatureAttrName);
}

std::optional<MeshSignature> pinnedSignature(Operation* op,
                                             const LoopNest& nest,
                                             const Mesh& mesh) {
  SmallVector<Signature, 3> perAxis = pinnedSignatures(op, nest);
  if (perAxis.size() != mesh.axes.size()) return std::nullopt;
  return combine(nest, mesh, pointersTo(perAxis));
}

}  // namespace sbp
