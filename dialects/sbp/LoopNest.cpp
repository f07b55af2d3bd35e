#include "dialects/sbp/LoopNest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace sbp {
namespace {

/// Returns the component of a tensor if `loop` is split: Split along the
/// dimension that the loop indexes, or `otherwise` if it indexes none.
Component componentFor(const TensorLoops& tensor, int64_t loop,
                       Component otherwise) {
  const auto* found = llvm::find(tensor, loop);
  if (found == tensor.end()) return otherwise;
  return Component::split(found - tensor.begin());
}

}  // namespace

double LoopNest::flops() const {
  double points = flopsPerPoint;
  for (const Loop& loop : loops) points *= static_cast<double>(loop.extent);
  return points;
}

std::string Signature::str() const {
  auto list = [](llvm::ArrayRef<Component> components) {
    auto names = llvm::map_range(
        components, [](const Component& component) { return component.str(); });
    return "(" + llvm::join(names, ", ") + ")";
  };
  return list(operands) + " -> " + list(results);
}

llvm::SmallVector<Signature, 8> signaturesOf(const LoopNest& nest) {
  llvm::SmallVector<Signature, 8> signatures;
  Signature& replicated = signatures.emplace_back();
  replicated.operands.resize(nest.operands.size());
  replicated.results.resize(nest.results.size());

  for (auto [index, loop] : llvm::enumerate(nest.loops)) {
    if (loop.kind == Loop::Kind::Whole) continue;
    Signature& signature = signatures.emplace_back();
    signature.loop = index;
    for (const TensorLoops& operand : nest.operands)
      signature.operands.push_back(
          componentFor(operand, index, Component::broadcast()));
    for (const TensorLoops& result : nest.results)
      signature.results.push_back(
          componentFor(result, index, Component::partial(loop.reduction)));
  }

  for (const PartialPass& pass : nest.partialPasses) {
    Component partial = Component::partial(pass.reduction);
    Signature& signature = signatures.emplace_back();
    signature.operands.resize(nest.operands.size());
    for (int64_t operand : pass.operands) signature.operands[operand] = partial;
    signature.results.assign(nest.results.size(), partial);
  }
  signatures.append(nest.communicating.begin(), nest.communicating.end());
  return signatures;
}

bool maySplit(const Loop& loop, int64_t alreadySplit, int64_t size) {
  if (loop.kind == Loop::Kind::Whole) return false;
  return !loop.evenOnly || loop.extent % (alreadySplit * size) == 0;
}

int64_t numParts(int64_t loop, const Mesh& mesh,
                 llvm::ArrayRef<int64_t> splitLoops) {
  int64_t parts = 1;
  for (auto [axis, split] : llvm::zip(mesh.axes, splitLoops))
    if (split == loop) parts *= axis.size;
  return parts;
}

int64_t findIllegalSplit(const LoopNest& nest, const Mesh& mesh,
                         llvm::ArrayRef<int64_t> splitLoops) {
  for (auto [index, loop] : llvm::enumerate(nest.loops)) {
    int64_t parts = numParts(index, mesh, splitLoops);
    if (parts > 1 && !maySplit(loop, /*alreadySplit=*/1, parts)) return index;
  }
  return kNoLoop;
}

}  // namespace sbp
