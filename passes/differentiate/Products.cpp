#include "passes/differentiate/Products.h"

#include "dialects/sbp/DistributedOp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

namespace {

/// Number of floating-point operations per element from which an op is a
/// product. Norms and element-wise ops have up to 7, and take no longer than
/// the movement of their elements. A matrix product has at least two thirds of
/// its smallest extent. A larger number saves memory, and computes more again.
constexpr double kFlopsPerElement = 8;

}  // namespace

bool isProduct(Operation* op) {
  if (llvm::isa<mlir::CallOpInterface>(op)) return true;
  if (!llvm::isa<DistributedOpInterface>(op)) return false;
  double elements = 0;
  auto add = [&](TypeRange types) {
    for (Type type : types)
      if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type))
        elements += static_cast<double>(shaped.getNumElements());
  };
  add(op->getOperandTypes());
  add(op->getResultTypes());
  return loopNestOf(op).flops() > kFlopsPerElement * elements;
}

}  // namespace sbp
