#include "dialects/sbp/OpBase.h"

namespace sbp {

bool haveSameShapes(TypeRange first, TypeRange second) {
  if (first.size() != second.size()) return false;
  return llvm::all_of(llvm::zip(first, second), [](auto pair) {
    auto a = llvm::dyn_cast<RankedTensorType>(std::get<0>(pair));
    auto b = llvm::dyn_cast<RankedTensorType>(std::get<1>(pair));
    return a && b && a.getShape() == b.getShape() &&
           a.getElementType() == b.getElementType();
  });
}

LogicalResult verifySameTypeUpToPlacement(Operation* op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types)
    if (!haveSameShapes(types.front(), type))
      return op->emitOpError()
             << "needs tensors of one shape and element type, but has "
             << types.front() << " and " << type;
  return success();
}

LogicalResult verifyInferredTypes(Operation* op) {
  auto interface = llvm::cast<mlir::InferTypeOpInterface>(op);
  SmallVector<Type> inferred;
  if (failed(interface.inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
          op->getRegions(), inferred)))
    return failure();
  if (haveSameShapes(inferred, op->getResultTypes())) return success();
  return op->emitOpError() << "has the result types " << op->getResultTypes()
                           << ", but infers " << inferred;
}

}  // namespace sbp
