#include "codegen/plan/KernelTarget.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace sbp {
namespace {

SmallVector<Type> typesOf(Operation* op) {
  SmallVector<Type> types(op->getOperandTypes());
  types.append(op->result_type_begin(), op->result_type_end());
  return types;
}

}  // namespace

mlir::Attribute kernelKey(Operation* op) {
  mlir::Builder builder(op->getContext());
  SmallVector<mlir::Attribute> parts = {
      builder.getStringAttr(op->getName().getStringRef())};
  if (mlir::Attribute properties = op->getPropertiesAsAttribute())
    parts.push_back(properties);
  for (Type type : typesOf(op)) parts.push_back(mlir::TypeAttr::get(type));
  return builder.getArrayAttr(parts);
}

FailureOr<KernelNeeds> KernelTarget::needsOf(Operation* op) const {
  std::optional<KernelNeeds> needs = lookUp(op);
  if (!needs) return op->emitOpError() << "has no " << kind() << " kernel";
  for (Type type : typesOf(op)) {
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() || tensor.getEncoding())
      return op->emitOpError("has a kernel on local tensors only, not on ")
             << type;
    auto element = llvm::dyn_cast<mlir::FloatType>(tensor.getElementType());
    if (element && !takes(element))
      return op->emitOpError()
             << "has no " << kind() << " kernel for " << element
             << " elements; kernels for " << kind() << "s take " << taken();
  }
  return *std::move(needs);
}

SmallVector<std::pair<int64_t, int64_t>, 2> KernelTarget::inPlacePairs(
    Operation* op,
    llvm::function_ref<bool(unsigned, unsigned)> canWriteInPlace) {
  SmallVector<std::pair<int64_t, int64_t>, 2> pairs;
  for (unsigned result = 0; result < op->getNumResults(); ++result)
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
      if (canWriteInPlace(result, operand)) pairs.push_back({operand, result});
  return pairs;
}

}  // namespace sbp
