#include "passes/plan/Signatures.h"

#include <algorithm>
#include <numeric>

#include "llvm/ADT/STLExtras.h"

namespace sbp {
namespace {

/// Whether all Partial components of each tensor have the same reduction.
bool hasOneReductionPerTensor(const MeshSignature& signature) {
  auto isConsistent = [](const Placement& placement) {
    const Component* partial = nullptr;
    for (const Component& component : placement) {
      if (!component.isPartial()) continue;
      if (partial && *partial != component) return false;
      partial = &component;
    }
    return true;
  };
  return llvm::all_of(signature.operands, isConsistent) &&
         llvm::all_of(signature.results, isConsistent);
}

}  // namespace

llvm::SmallVector<Signature, 3> componentsPerAxis(
    const MeshSignature& signature, size_t numAxes) {
  llvm::SmallVector<Signature, 3> perAxis(numAxes);
  for (auto [axis, onAxis] : llvm::enumerate(perAxis)) {
    for (const Placement& placement : signature.operands)
      onAxis.operands.push_back(placement[axis]);
    for (const Placement& placement : signature.results)
      onAxis.results.push_back(placement[axis]);
  }
  return perAxis;
}

double pointsPerDevice(const LoopNest& nest, const Mesh& mesh,
                       llvm::ArrayRef<int64_t> splitLoops) {
  double points = 1;
  for (auto [index, loop] : llvm::enumerate(nest.loops)) {
    int64_t extent = loop.extent;
    for (auto [axis, split] : llvm::zip(mesh.axes, splitLoops))
      if (split == static_cast<int64_t>(index))
        extent = (extent + axis.size - 1) / axis.size;
    points *= static_cast<double>(extent);
  }
  return points;
}

std::optional<MeshSignature> combine(const LoopNest& nest, const Mesh& mesh,
                                     llvm::ArrayRef<const Signature*> perAxis) {
  MeshSignature signature;
  signature.operands.resize(nest.operands.size());
  signature.results.resize(nest.results.size());
  llvm::SmallVector<int64_t, 3> splitLoops;
  for (auto [axis, choice] : llvm::enumerate(perAxis)) {
    splitLoops.push_back(choice->loop);
    if (choice->communicates) signature.communicating.push_back(axis);
    for (auto [to, from] : llvm::zip(signature.operands, choice->operands))
      to.push_back(from);
    for (auto [to, from] : llvm::zip(signature.results, choice->results))
      to.push_back(from);
  }
  if (!hasOneReductionPerTensor(signature) ||
      findIllegalSplit(nest, mesh, splitLoops) != kNoLoop)
    return std::nullopt;
  if (signature.communicates() && !nest.canCombine(mesh, perAxis))
    return std::nullopt;
  signature.pointsPerDevice = pointsPerDevice(nest, mesh, splitLoops);
  return signature;
}

void visitSignatures(const LoopNest& nest, const Mesh& mesh,
                     llvm::ArrayRef<int64_t> groups,
                     llvm::function_ref<bool(const MeshSignature&)> visit) {
  auto choices = signaturesOf(nest);
  size_t numAxes = mesh.axes.size();
  size_t numGroups = 0;
  for (int64_t group : groups)
    numGroups = std::max(numGroups, static_cast<size_t>(group) + 1);
  // On axes of one device all signatures mean the same, so only one is tried.
  llvm::SmallVector<bool, 3> isFree(numGroups, false);
  for (auto [axis, group] : llvm::zip(mesh.axes, groups))
    if (axis.size > 1) isFree[group] = true;
  llvm::SmallVector<size_t, 3> chosen(numGroups, 0);
  llvm::SmallVector<const Signature*, 3> perAxis(numAxes);
  while (true) {
    for (size_t axis = 0; axis < numAxes; ++axis)
      perAxis[axis] = &choices[chosen[groups[axis]]];
    if (auto signature = combine(nest, mesh, perAxis);
        signature && !visit(*signature))
      return;

    // Advance to the next combination; the last group varies fastest.
    size_t group = numGroups;
    while (group > 0 &&
           (!isFree[group - 1] || ++chosen[group - 1] == choices.size()))
      chosen[--group] = 0;
    if (group == 0) return;
  }
}

void forEachSignature(const LoopNest& nest, const Mesh& mesh,
                      llvm::function_ref<void(const MeshSignature&)> visit) {
  llvm::SmallVector<int64_t, 3> groups(mesh.axes.size());
  std::iota(groups.begin(), groups.end(), 0);
  visitSignatures(nest, mesh, groups, [&](const MeshSignature& signature) {
    visit(signature);
    return true;
  });
}

}  // namespace sbp
