#include "codegen/kernels/ElementCode.h"

#include "codegen/kernels/KernelOp.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp {

using namespace mlir;

namespace {

bool isSplat(Operation& op) {
  auto constant = dyn_cast<nn::ConstantOp>(op);
  return constant && constant.isSplat();
}

}  // namespace

bool ElementCode::existsFor(Operation* op) {
  auto fused = dyn_cast<rank::FusedOp>(op);
  if (!fused) return isa<ElementwiseOpInterface>(op);
  return llvm::all_of(
      fused.getBody().front().without_terminator(), [](Operation& inside) {
        return isa<ElementwiseOpInterface>(inside) || isSplat(inside);
      });
}

SmallVector<Value> ElementCode::emit(Operation* op, ValueRange operands) {
  if (auto fused = dyn_cast<rank::FusedOp>(op))
    return emitFused(fused, operands);
  return cast<ElementwiseOpInterface>(op).buildElement(arithmetic_, operands);
}

SmallVector<Value> ElementCode::emitFused(rank::FusedOp op,
                                          ValueRange operands) {
  Block& body = op.getBody().front();
  IRMapping elements;
  elements.map(body.getArguments(), operands);
  auto elementsOf = [&](ValueRange tensors) {
    return llvm::map_to_vector(
        tensors, [&](Value tensor) { return elements.lookup(tensor); });
  };
  for (Operation& inside : body.without_terminator()) {
    if (auto splat = dyn_cast<nn::ConstantOp>(inside)) {
      elements.map(splat.getResult(), constant(splat, operands.front()));
      continue;
    }
    SmallVector<Value> results =
        emit(&inside, elementsOf(inside.getOperands()));
    for (auto [tensor, element] : llvm::zip_equal(inside.getResults(), results))
      elements.map(tensor, rounded(element, tensor));
  }
  return elementsOf(body.getTerminator()->getOperands());
}

Value ElementCode::constant(nn::ConstantOp op, Value prototype) {
  auto element = cast<TypedAttr>(op.getElements().getSplatValue<Attribute>());
  Type type = loops_.computeType(element.getType());
  if (type != element.getType())
    element = FloatAttr::get(type, cast<FloatAttr>(element).getValueAsDouble());
  if (auto vector = dyn_cast<VectorType>(prototype.getType()))
    element = DenseElementsAttr::get(vector.clone(type), element);
  return arith::ConstantOp::create(builder_, element);
}

Value ElementCode::rounded(Value element, Value tensor) {
  Type type = getElementTypeOrSelf(tensor);
  return arithmetic_.cast(arithmetic_.cast(element, type),
                          loops_.computeType(type));
}

}  // namespace sbp
