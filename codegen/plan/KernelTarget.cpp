#include "codegen/plan/KernelTarget.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
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

/// Returns the key of a body: for each op its kernelKey and its operands. They
/// are numbered: the arguments of the body first, then the results of its ops.
Attribute bodyKey(mlir::Block& body) {
  mlir::Builder builder(body.getParent()->getContext());
  llvm::DenseMap<Value, int64_t> numbers;
  auto number = [&](Value value) {
    numbers.try_emplace(value, static_cast<int64_t>(numbers.size()));
  };
  llvm::for_each(body.getArguments(), number);
  SmallVector<Attribute> parts;
  for (Operation& op : body) {
    parts.push_back(kernelKey(&op));
    parts.push_back(builder.getDenseI64ArrayAttr(llvm::map_to_vector(
        op.getOperands(),
        [&](Value operand) { return numbers.lookup(operand); })));
    llvm::for_each(op.getResults(), number);
  }
  return builder.getArrayAttr(parts);
}

}  // namespace

mlir::Attribute kernelKey(Operation* op) {
  mlir::Builder builder(op->getContext());
  SmallVector<mlir::Attribute> parts = {
      builder.getStringAttr(op->getName().getStringRef())};
  if (mlir::Attribute properties = op->getPropertiesAsAttribute())
    parts.push_back(properties);
  for (Type type : typesOf(op)) parts.push_back(mlir::TypeAttr::get(type));
  for (mlir::Region& region : op->getRegions())
    parts.push_back(bodyKey(region.front()));
  return builder.getArrayAttr(parts);
}

FailureOr<KernelNeeds> KernelTarget::needsOf(Operation* op) const {
  std::optional<KernelNeeds> needs = lookUp(op);
  if (!needs) return op->emitOpError() << "has no " << kind() << " kernel";
  SmallVector<Type> types = typesOf(op);
  for (mlir::Region& region : op->getRegions())
    for (Operation& inside : region.getOps())
      llvm::append_range(types, typesOf(&inside));
  for (Type type : types) {
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
