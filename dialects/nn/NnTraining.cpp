// Gradients of elementwise ops, and the update steps of optimisers.

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::nn {
namespace {

/// Appends to `inferred` the type of the first of `values`, `numResults` times.
/// Fails unless all of `values` have its shape and element type. (C1)
LogicalResult inferAlike(std::optional<Location> location,
                         ArrayRef<Value> values, size_t numResults,
                         llvm::SmallVectorImpl<Type>& inferred) {
  Type first = values.front().getType();
  for (Value value : values.drop_front())
    if (failed(haveSameType(location, first, value.getType())))
      return failure();
  inferred.append(numResults, plainTensor(shapeOf(first),
                                          mlir::getElementTypeOrSelf(first)));
  return success();
}

/// Returns the loops of an elementwise op with any number of results.
LoopNest alikeNest(Operation* op) {
  return elementwiseNest(shapeOf(op->getResult(0)), op->getOperandTypes(),
                         op->getNumResults());
}

}  // namespace

LogicalResult GeluGradOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  return inferAlike(location, {adaptor.getInput(), adaptor.getGradient()}, 1,
                    inferred);
}

LoopNest GeluGradOp::getLoopNest() {
  LoopNest nest = alikeNest(*this);
  passPartial(nest, Reduction::Sum, {1});
  return nest;
}

LogicalResult SiluGradOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  return inferAlike(location, {adaptor.getInput(), adaptor.getGradient()}, 1,
                    inferred);
}

LoopNest SiluGradOp::getLoopNest() {
  LoopNest nest = alikeNest(*this);
  passPartial(nest, Reduction::Sum, {1});
  return nest;
}

LogicalResult SgdOp::inferReturnTypes(MLIRContext*,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      llvm::SmallVectorImpl<Type>& inferred) {
  return inferAlike(location, {adaptor.getParameter(), adaptor.getGradient()},
                    1, inferred);
}

LoopNest SgdOp::getLoopNest() { return alikeNest(*this); }

LogicalResult MomentumOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  return inferAlike(
      location,
      {adaptor.getParameter(), adaptor.getGradient(), adaptor.getVelocity()}, 2,
      inferred);
}

LoopNest MomentumOp::getLoopNest() { return alikeNest(*this); }

LogicalResult AdamOp::inferReturnTypes(MLIRContext*,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       llvm::SmallVectorImpl<Type>& inferred) {
  return inferAlike(location,
                    {adaptor.getParameter(), adaptor.getGradient(),
                     adaptor.getFirstMoment(), adaptor.getSecondMoment()},
                    3, inferred);
}

LoopNest AdamOp::getLoopNest() {
  LoopNest nest = alikeNest(*this);
  nest.flopsPerPoint = 14;
  return nest;
}

}  // namespace sbp::nn
