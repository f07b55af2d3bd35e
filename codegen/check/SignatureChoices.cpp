#include "codegen/check/SignatureChoices.h"

#include <utility>

#include "dialects/sbp/DistributedOp.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace sbp::check {
namespace {

/// Whether all Partial components of a placement are equal.
bool hasOneReduction(ArrayRef<Component> placement) {
  const Component* first = nullptr;
  for (const Component& component : placement) {
    if (!component.isPartial()) continue;
    if (first && *first != component) return false;
    first = &component;
  }
  return true;
}

bool isLegal(ArrayRef<Signature> choice, const LoopNest& nest,
             const Mesh& mesh) {
  if (findIllegalSplit(nest, mesh, splitLoopsOf(choice)) != kNoLoop)
    return false;
  for (size_t index = 0; index < nest.operands.size(); ++index)
    if (!hasOneReduction(operandPlacement(choice, index))) return false;
  for (size_t index = 0; index < nest.results.size(); ++index)
    if (!hasOneReduction(resultPlacement(choice, index))) return false;
  return !communicates(choice) || nest.canCombine(mesh, pointersTo(choice));
}

}  // namespace

Placement operandPlacement(ArrayRef<Signature> choice, size_t index) {
  Placement placement;
  for (const Signature& signature : choice)
    placement.push_back(signature.operands[index]);
  return placement;
}

Placement resultPlacement(ArrayRef<Signature> choice, size_t index) {
  Placement placement;
  for (const Signature& signature : choice)
    placement.push_back(signature.results[index]);
  return placement;
}

std::vector<SignatureChoice> legalChoices(const LoopNest& nest,
                                          const Mesh& mesh) {
  const auto signatures = signaturesOf(nest);
  std::vector<SignatureChoice> choices = {{}};
  for (size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    std::vector<SignatureChoice> longer;
    for (const SignatureChoice& choice : choices)
      for (const Signature& signature : signatures) {
        longer.push_back(choice);
        longer.back().push_back(signature);
      }
    choices = std::move(longer);
  }
  llvm::erase_if(choices, [&](const SignatureChoice& choice) {
    return !isLegal(choice, nest, mesh);
  });
  return choices;
}

std::string toString(ArrayRef<Signature> choice) {
  return llvm::join(
      llvm::map_range(
          choice, [](const Signature& signature) { return signature.str(); }),
      "; ");
}

}  // namespace sbp::check
