#include "dialects/sbp/DistributedOp.h"

#include "dialects/sbp/Sbp.h"
#include "dialects/sbp/SbpInterfaces.cpp.inc"
#include "llvm/ADT/StringExtras.h"

namespace sbp {
namespace {

/// The signature that the op has on mesh axis `axis`.
Signature signatureOnAxis(Operation* op, size_t axis) {
  Signature signature;
  for (Type type : op->getOperandTypes())
    signature.operands.push_back(NdSbpAttr::of(type).getComponents()[axis]);
  for (Type type : op->getResultTypes())
    signature.results.push_back(NdSbpAttr::of(type).getComponents()[axis]);
  return signature;
}

/// The legal signatures, each once, as text.
std::string listOf(ArrayRef<Signature> signatures) {
  SmallVector<std::string> names;
  for (const Signature& signature : signatures)
    if (!llvm::is_contained(names, signature.str()))
      names.push_back(signature.str());
  return llvm::join(names, "; ");
}

}  // namespace

Operation* cloneAtTypes(OpBuilder& builder, Operation* op, ValueRange operands,
                        TypeRange results) {
  mlir::OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(results);
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return builder.create(state);
}

LogicalResult verifyPlacements(Operation* op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  NdSbpAttr first;
  for (Type type : types)
    if (NdSbpAttr placement = NdSbpAttr::of(type)) {
      first = placement;
      break;
    }
  if (!first) return success();

  for (Type type : types) {
    NdSbpAttr placement = NdSbpAttr::of(type);
    if (!placement)
      return op->emitOpError() << "has a tensor without placement, " << type
                               << ", beside one on " << first.getMesh();
    if (placement.getMesh() != first.getMesh())
      return op->emitOpError() << "mixes tensors on " << first.getMesh()
                               << " and on " << placement.getMesh();
    if (placement.getComponents().size() != first.getComponents().size())
      return op->emitOpError()
             << "mixes placements with " << first.getComponents().size()
             << " and with " << placement.getComponents().size()
             << " components";
  }

  auto signatures =
      signaturesOf(llvm::cast<DistributedOpInterface>(op).getLoopNest());
  for (size_t axis = 0; axis < first.getComponents().size(); ++axis) {
    Signature actual = signatureOnAxis(op, axis);
    bool isLegal = llvm::any_of(signatures, [&](const Signature& legal) {
      return legal.operands == actual.operands &&
             legal.results == actual.results;
    });
    if (isLegal) continue;
    mlir::InFlightDiagnostic diagnostic = op->emitOpError()
                                          << "has no signature " << actual.str()
                                          << " (mesh axis " << axis << ")";
    diagnostic.attachNote() << "its signatures are " << listOf(signatures);
    return diagnostic;
  }
  return success();
}

SmallVector<int64_t, 3> splitLoopsOf(Operation* op, const LoopNest& nest,
                                     const Mesh& mesh) {
  // A legal signature splits a loop exactly if it splits some dimension that
  // the loop indexes.
  SmallVector<int64_t, 3> splitLoops(mesh.axes.size(), kNoLoop);
  auto note = [&](ValueRange values, ArrayRef<TensorLoops> loops) {
    for (auto [value, loopOfDim] : llvm::zip(values, loops)) {
      NdSbpAttr placement = NdSbpAttr::of(value.getType());
      for (auto [component, split] :
           llvm::zip(placement.getComponents(), splitLoops))
        if (component.isSplit()) split = loopOfDim[component.dim()];
    }
  };
  note(op->getOperands(), nest.operands);
  note(op->getResults(), nest.results);
  return splitLoops;
}

LogicalResult verifyEvenParts(Operation* op, const Mesh& mesh) {
  LoopNest nest = llvm::cast<DistributedOpInterface>(op).getLoopNest();
  SmallVector<int64_t, 3> splitLoops = splitLoopsOf(op, nest, mesh);
  int64_t loop = findUnequalLoop(nest, mesh, splitLoops);
  if (loop == kNoLoop) return success();
  return op->emitOpError() << "is split over "
                           << numParts(loop, mesh, splitLoops)
                           << " devices where only equal parts are possible, "
                              "of an extent of "
                           << nest.loops[loop].extent;
}

}  // namespace sbp
