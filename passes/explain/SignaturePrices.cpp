#include "passes/explain/SignaturePrices.h"

#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/explain/Pricing.h"
#include "passes/explain/ShapeText.h"
#include "passes/module/OpKey.h"
#include "passes/names/Names.h"
#include "passes/plan/Signatures.h"

namespace sbp {
namespace {

/// Largest number of signatures of an op for which all are listed.
constexpr double kMaxSignatures = 16;

RankedTensorType withoutPlacement(Type type) {
  return withPlacement(llvm::cast<RankedTensorType>(type), nullptr);
}

std::string typeText(Type type) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  return shapeText(tensor.getShape(), tensor.getElementType());
}

std::string typesText(Operation* op) {
  auto list = [](TypeRange types) {
    return llvm::join(llvm::map_range(types, typeText), ", ");
  };
  std::string results = list(op->getResultTypes());
  if (op->getNumResults() > 1) results = "(" + results + ")";
  return "(" + list(op->getOperandTypes()) + ") -> " + results;
}

/// Returns the text of `signature` as sbp.signature has it.
std::string textOf(const MeshSignature& signature, size_t numAxes) {
  return "[" +
         llvm::join(llvm::map_to_vector(componentsPerAxis(signature, numAxes),
                                        std::mem_fn(&Signature::str)),
                    ", ") +
         "]";
}

/// Calls `visit` with the legal signatures on `mesh` that differ from `chosen`
/// on one axis.
void forEachNeighbour(const LoopNest& nest, const Mesh& mesh,
                      ArrayRef<Signature> chosen,
                      llvm::function_ref<void(const MeshSignature&)> visit) {
  const auto choices = signaturesOf(nest);
  for (auto [axis, description] : llvm::enumerate(mesh.axes)) {
    if (description.size == 1) continue;
    SmallVector<const Signature*, 3> perAxis = pointersTo(chosen);
    for (const Signature& choice : choices) {
      if (isSame(choice, chosen[axis])) continue;
      perAxis[axis] = &choice;
      if (auto signature = combine(nest, mesh, perAxis)) visit(*signature);
    }
  }
}

class SignaturePricer {
 public:
  SignaturePricer(const PlacedMeshes& meshes, const Device& device)
      : meshes_(meshes), pricing_(meshes, device, ownKernels_) {}

  void add(DistributedOpInterface op) {
    const LoopNest nest = loopNestOf(op);
    const mlir::FlatSymbolRefAttr name =
        NdSbpAttr::of(op->getResult(0).getType()).getMesh();
    const Mesh& mesh = meshes_.of(name);
    const bool isWhole = numSignatures(nest, mesh) <= kMaxSignatures;
    auto [known, isNew] = known_.try_emplace(
        {keyOf(op, /*isPlaced=*/!isWhole), name.getValue()}, lists_.size());
    if (isNew) lists_.push_back(listOf(op, nest, name, isWhole));
    OpSignatures& list = lists_[known->second];
    ++list.number;
    if (std::string tensor = nameOf(op->getResult(0));
        !tensor.empty() && !llvm::is_contained(list.tensors, tensor))
      list.tensors.push_back(std::move(tensor));
    ++signatureIn(list, op, nest, name, placedSignature(op, nest, mesh)).chosen;
  }

  FailureOr<std::vector<OpSignatures>> take() {
    if (failed(pricing_.status())) return failure();
    llvm::erase_if(lists_, [](const OpSignatures& list) {
      return list.signatures.size() < 2;
    });
    for (OpSignatures& list : lists_)
      llvm::sort(list.signatures,
                 [](const PricedSignature& a, const PricedSignature& b) {
                   return std::pair(a.seconds(), StringRef(a.text)) <
                          std::pair(b.seconds(), StringRef(b.text));
                 });
    return std::move(lists_);
  }

 private:
  /// Returns the number of combinations of signatures, legal or not.
  static double numSignatures(const LoopNest& nest, const Mesh& mesh) {
    const auto numAxes = llvm::count_if(
        mesh.axes, [](const MeshAxis& axis) { return axis.size > 1; });
    return std::pow(static_cast<double>(signaturesOf(nest).size()),
                    static_cast<double>(numAxes));
  }

  /// Returns the key of the list for `op`. Ops share a list if they have the
  /// same whole types and, if `isPlaced`, the same placements.
  static OpKey keyOf(Operation* op, bool isPlaced) {
    SmallVector<Type> operands(op->getOperandTypes());
    SmallVector<Type> results(op->getResultTypes());
    if (!isPlaced)
      for (auto* types : {&operands, &results})
        for (Type& type : *types) type = withoutPlacement(type);
    return opKeyOf(
        op, mlir::FunctionType::get(op->getContext(), operands, results));
  }

  OpSignatures listOf(DistributedOpInterface op, const LoopNest& nest,
                      mlir::FlatSymbolRefAttr name, bool isWhole) {
    OpSignatures list;
    list.name = op->getName().getStringRef().str();
    list.types = typesText(op);
    list.place = placeOf(op->getLoc());
    list.mesh = name.getValue().str();
    list.isWhole = isWhole;
    auto add = [&](const MeshSignature& signature) {
      signatureIn(list, op, nest, name, signature);
    };
    if (isWhole)
      forEachSignature(nest, meshes_.of(name), add);
    else
      forEachNeighbour(nest, meshes_.of(name), signaturesPerAxis(op, nest),
                       add);
    return list;
  }

  /// Returns the element of `list` for `signature` of `op`. Adds it if there is
  /// none.
  PricedSignature& signatureIn(OpSignatures& list, DistributedOpInterface op,
                               const LoopNest& nest,
                               mlir::FlatSymbolRefAttr name,
                               const MeshSignature& signature) {
    std::string text = textOf(signature, meshes_.of(name).axes.size());
    for (PricedSignature& known : list.signatures)
      if (known.text == text) return known;
    return list.signatures.emplace_back(PricedSignature{
        std::move(text), pricing_.price(op, nest, name, signature)});
  }

  const PlacedMeshes& meshes_;
  const KernelShares ownKernels_;
  Pricing pricing_;
  std::map<std::pair<OpKey, StringRef>, size_t> known_;
  std::vector<OpSignatures> lists_;
};

}  // namespace

FailureOr<std::vector<OpSignatures>> priceSignatures(ModuleOp boxed,
                                                     const PlacedMeshes& meshes,
                                                     const Device& device) {
  SignaturePricer pricer(meshes, device);
  boxed.walk([&](DistributedOpInterface op) { pricer.add(op); });
  return pricer.take();
}

}  // namespace sbp
