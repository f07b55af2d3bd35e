#include "passes/cost/OpCost.h"

#include "dialects/sbp/Sbp.h"
#include "passes/cost/Roofline.h"

namespace sbp {

ScalarType computedType(Operation* op) {
  Type first;
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getResultTypes()),
                                llvm::to_vector(op->getOperandTypes()))) {
    Type element = llvm::cast<RankedTensorType>(type).getElementType();
    if (llvm::isa<mlir::FloatType>(element)) return scalarTypeOf(element);
    if (!first) first = element;
  }
  return scalarTypeOf(first);
}

double opSeconds(const Device& device, Operation* op, double flops,
                 double bytes) {
  return computeSeconds(device, computedType(op), flops, bytes);
}

}  // namespace sbp
