#include "test/properties/ModuleWriter.h"

namespace sbp::properties {

using mlir::func::FuncOp;

Attribute ModuleWriter::initializer(RankedTensorType type) {
  auto number = [](double value) { return llvm::APFloat(value); };
  if (!llvm::isa<mlir::FloatType>(type.getElementType()))
    return nn::ConstantAttr::get(context(), number(choices_.below(5)));
  switch (choices_.weighted({60, 25, 5, 5, 5})) {
    case 0:
      return nn::NormalAttr::get(context(), number(0.8));
    case 1:
      return nn::UniformAttr::get(context(), number(-1.5), number(2));
    case 2:
      return nn::ConstantAttr::get(context(), number(0.375));
    case 3:
      return nn::OnesAttr::get(context());
    default:
      return nn::ZerosAttr::get(context());
  }
}

nn::ParameterOp ModuleWriter::parameter(RankedTensorType type) {
  if (choices_.chance(20))
    for (nn::ParameterOp known : parameters_)
      if (known.getType() == type) return known;
  OpBuilder builder = OpBuilder::atBlockBegin(module_.getBody());
  if (!parameters_.empty()) builder.setInsertionPointAfter(parameters_.back());
  bool isFrozen =
      !llvm::isa<mlir::FloatType>(type.getElementType()) || choices_.chance(10);
  parameters_.push_back(nn::ParameterOp::create(
      builder, module_.getLoc(), "w" + std::to_string(parameters_.size()), type,
      initializer(type), /*state=*/false, isFrozen));
  return parameters_.back();
}

FuncOp ModuleWriter::addFunction(StringRef name, TypeRange arguments) {
  OpBuilder builder = OpBuilder::atBlockEnd(module_.getBody());
  auto function =
      FuncOp::create(builder, module_.getLoc(), name,
                     builder.getFunctionType(arguments, TypeRange()));
  function.addEntryBlock();
  return function;
}

}  // namespace sbp::properties
