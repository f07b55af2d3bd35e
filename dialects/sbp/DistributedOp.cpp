#include "dialects/sbp/DistributedOp.h"

#include "dialects/sbp/Sbp.h"
#include "dialects/sbp/SbpInterfaces.cpp.inc"
#include "llvm/ADT/StringExtras.h"

namespace sbp {
namespace {

/// Returns the components of the op's operands and results on mesh axis `axis`.
Signature signatureOnAxis(Operation* op, size_t axis) {
  Signature signature;
  for (Type type : op->getOperandTypes())
    signature.operands.push_back(NdSbpAttr::of(type).getComponents()[axis]);
  for (Type type : op->getResultTypes())
    signature.results.push_back(NdSbpAttr::of(type).getComponents()[axis]);
  return signature;
}

/// Returns the text of `signatures`, each once.
std::string listOf(ArrayRef<Signature> signatures) {
  SmallVector<std::string> names;
  for (const Signature& signature : signatures)
    if (!llvm::is_contained(names, signature.str()))
      names.push_back(signature.str());
  return llvm::join(names, "; ");
}

}  // namespace

Operation* cloneWithTypes(OpBuilder& builder, Operation* op,
                          ValueRange operands, TypeRange results) {
  mlir::OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(results);
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return builder.create(state);
}

namespace {

/// Verifies the loops that `op` declares (C4), then its communicating
/// signatures. `op` is asked for these only if its loops are right.
LogicalResult verifyRule(Operation* op) {
  if (failed(verifyLoopNest(
          op, llvm::cast<DistributedOpInterface>(op).getLoopNest())))
    return failure();
  if (!llvm::isa<CommunicatingOpInterface>(op)) return success();
  return verifyLoopNest(op, loopNestOf(op));
}

/// Verifies C1 to C3. Succeeds if none of the types is placed.
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
    // (C1)
    if (!placement)
      return op->emitOpError() << "has a tensor without placement, " << type
                               << ", beside one on " << first.getMesh();
    // (C2)
    if (placement.getMesh() != first.getMesh())
      return op->emitOpError() << "mixes tensors on " << first.getMesh()
                               << " and on " << placement.getMesh();
    if (placement.getComponents().size() != first.getComponents().size())
      return op->emitOpError()
             << "mixes placements with " << first.getComponents().size()
             << " and with " << placement.getComponents().size()
             << " components";
  }

  // (C3)
  auto signatures = signaturesOf(loopNestOf(op));
  for (size_t axis = 0; axis < first.getComponents().size(); ++axis) {
    Signature actual = signatureOnAxis(op, axis);
    bool isLegal = llvm::any_of(signatures, [&](const Signature& legal) {
      return isSame(legal, actual);
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

/// Fails if `op` is pinned to a signature that it does not have.
LogicalResult verifyPinnedSignatures(Operation* op) {
  auto pin = op->getAttrOfType<SignatureAttr>(kSignatureAttrName);
  if (!pin) return success();
  auto signatures = signaturesOf(loopNestOf(op));
  for (int64_t axis = 0; axis < pin.getNumAxes(); ++axis) {
    Signature pinned = pin.getSignature(axis);
    if (llvm::any_of(signatures, [&](const Signature& legal) {
          return isSame(legal, pinned);
        }))
      continue;
    mlir::InFlightDiagnostic diagnostic =
        op->emitOpError() << "is pinned to the signature " << pinned.str()
                          << " (mesh axis " << axis
                          << "), which it does not have";
    diagnostic.attachNote() << "its signatures are " << listOf(signatures);
    return diagnostic;
  }
  return success();
}

}  // namespace

LogicalResult verifyDistributed(Operation* op) {
  if (failed(verifyRule(op)) || failed(verifyPlacements(op))) return failure();
  return verifyPinnedSignatures(op);
}

bool isSame(const Signature& one, const Signature& other) {
  return one.operands == other.operands && one.results == other.results;
}

LoopNest loopNestOf(Operation* op) {
  LoopNest nest = llvm::cast<DistributedOpInterface>(op).getLoopNest();
  auto communicating = llvm::dyn_cast<CommunicatingOpInterface>(op);
  if (!communicating) return nest;
  auto known = signaturesOf(nest);
  for (Signature& signature : communicating.getCommunicatingSignatures(nest)) {
    if (llvm::any_of(known, [&](const Signature& other) {
          return isSame(signature, other);
        }))
      continue;
    signature.communicates = true;
    nest.communicating.push_back(std::move(signature));
  }
  nest.canCombine = [op, loops = nest](const Mesh& mesh,
                                       ArrayRef<const Signature*> perAxis) {
    return llvm::cast<CommunicatingOpInterface>(op).canCombine(loops, mesh,
                                                               perAxis);
  };
  return nest;
}

SmallVector<Signature, 3> signaturesPerAxis(Operation* op,
                                            const LoopNest& nest) {
  auto signatures = signaturesOf(nest);
  Type type = op->getNumResults() > 0 ? op->getResult(0).getType()
                                      : op->getOperand(0).getType();
  SmallVector<Signature, 3> perAxis;
  size_t numAxes = NdSbpAttr::of(type).getComponents().size();
  for (size_t axis = 0; axis < numAxes; ++axis) {
    Signature actual = signatureOnAxis(op, axis);
    perAxis.push_back(*llvm::find_if(
        signatures,
        [&](const Signature& signature) { return isSame(signature, actual); }));
  }
  return perAxis;
}

SmallVector<Signature, 3> pinnedSignatures(Operation* op,
                                           const LoopNest& nest) {
  SmallVector<Signature, 3> perAxis;
  auto pin = op->getAttrOfType<SignatureAttr>(kSignatureAttrName);
  if (!pin) return perAxis;
  auto signatures = signaturesOf(nest);
  for (int64_t axis = 0; axis < pin.getNumAxes(); ++axis) {
    Signature pinned = pin.getSignature(axis);
    perAxis.push_back(*llvm::find_if(
        signatures,
        [&](const Signature& signature) { return isSame(signature, pinned); }));
  }
  return perAxis;
}

SmallVector<int64_t, 3> splitLoopsOf(ArrayRef<Signature> perAxis) {
  SmallVector<int64_t, 3> loops;
  for (const Signature& signature : perAxis) loops.push_back(signature.loop);
  return loops;
}

SmallVector<const Signature*, 3> pointersTo(ArrayRef<Signature> perAxis) {
  SmallVector<const Signature*, 3> pointers;
  for (const Signature& signature : perAxis) pointers.push_back(&signature);
  return pointers;
}

bool communicates(ArrayRef<Signature> perAxis) {
  return llvm::any_of(perAxis, [](const Signature& signature) {
    return signature.communicates;
  });
}

LogicalResult verifyOnMesh(Operation* op, const Mesh& mesh) {
  LoopNest nest = loopNestOf(op);
  return verifyOnMesh(op, nest, mesh, signaturesPerAxis(op, nest));
}

LogicalResult verifyOnMesh(Operation* op, const LoopNest& nest,
                           const Mesh& mesh, ArrayRef<Signature> perAxis) {
  SmallVector<int64_t, 3> splitLoops = splitLoopsOf(perAxis);
  int64_t loop = findIllegalSplit(nest, mesh, splitLoops);
  if (loop != kNoLoop)
    return op->emitOpError()
           << "splits an extent of " << nest.loops[loop].extent << " over "
           << numParts(loop, mesh, splitLoops)
           << " devices, but must split it into equal parts";
  if (!communicates(perAxis) || nest.canCombine(mesh, pointersTo(perAxis)))
    return success();
  return op->emitOpError() << "fetches parts of tensors itself, by signatures "
                              "that cannot be combined on this mesh: "
                           << listOf(perAxis);
}

}  // namespace sbp
