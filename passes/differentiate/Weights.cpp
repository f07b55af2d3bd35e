#include "passes/differentiate/Weights.h"

#include "dialects/nn/Nn.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

/// Whether all operands of `op` are weights or constants, and at least one is a
/// weight.
bool isOfWeights(Operation& op, const llvm::DenseSet<Value>& weights) {
  if (op.getNumRegions() > 0) return false;
  auto isWeight = [&](Value operand) { return weights.contains(operand); };
  return llvm::any_of(op.getOperands(), isWeight) &&
         llvm::all_of(op.getOperands(), [&](Value operand) {
           Operation* maker = operand.getDefiningOp();
           return isWeight(operand) || (maker && maker->getNumOperands() == 0);
         });
}

}  // namespace

llvm::DenseSet<Value> weightsOf(FuncOp function,
                                const std::vector<bool>& weightArguments) {
  llvm::DenseSet<Value> weights;
  for (auto [argument, isWeight] :
       llvm::zip(function.getArguments(), weightArguments))
    if (isWeight) weights.insert(argument);
  for (Operation& op : function.getBody().front())
    if (llvm::isa<nn::GetOp>(op) || isOfWeights(op, weights))
      weights.insert(op.result_begin(), op.result_end());
  return weights;
}

}  // namespace sbp
