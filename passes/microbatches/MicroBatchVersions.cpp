#include "passes/microbatches/MicroBatchVersions.h"

#include <cassert>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp {

MicroBatchVersion MicroBatchVersion::of(const Component& component,
                                        Value value) {
  if (component.isSplit()) return samples(value, component.dim());
  return component.isPartial() ? term(value) : whole(value);
}

Component MicroBatchVersion::component() const {
  assert(kind != Kind::Deferred && "a micro-batch has nothing of the value");
  if (kind == Kind::Samples) return Component::split(dim);
  return kind == Kind::Term ? Component::partial(Reduction::Sum)
                            : Component::broadcast();
}

bool MicroBatchVersions::anyOperandIs(Operation* op,
                                      MicroBatchVersion::Kind kind) const {
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return of(operand).kind == kind; });
}

bool MicroBatchVersions::allOperandsAre(Operation* op,
                                        MicroBatchVersion::Kind kind) const {
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return of(operand).kind == kind; });
}

bool MicroBatchVersions::areLinearIn(Operation* op,
                                     const PartialPass& pass) const {
  if (pass.reduction != Reduction::Sum) return false;
  return llvm::all_of(op->getOpOperands(), [&](mlir::OpOperand& operand) {
    const bool passes =
        llvm::is_contained(pass.operands, operand.getOperandNumber());
    switch (of(operand.get()).kind) {
      case MicroBatchVersion::Kind::Term:
        return passes;
      case MicroBatchVersion::Kind::Whole:
        return !passes || llvm::isa<mlir::FloatType>(
                              mlir::getElementTypeOrSelf(operand.get()));
      default:
        return false;
    }
  });
}

mlir::IRMapping MicroBatchVersions::mappingOf(Operation* op) const {
  mlir::IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, of(operand).value);
  return mapping;
}

}  // namespace sbp
