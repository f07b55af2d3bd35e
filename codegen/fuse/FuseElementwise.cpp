#include "codegen/fuse/FuseElementwise.h"

#include "codegen/fuse/ArgumentLives.h"
#include "codegen/fuse/FusionGroups.h"
#include "codegen/fuse/Passes.h"
#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace sbp {

#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "codegen/fuse/Passes.h.inc"

namespace {

using mlir::func::FuncOp;

/// Adds a rank.fused that computes `group`, before the last op of the group.
rank::FusedOp buildFused(const FusionGroup& group) {
  Operation* last = group.ops().back();
  OpBuilder builder(last);
  SmallVector<Type> types = llvm::map_to_vector(
      group.results(), [](Value result) { return result.getType(); });
  auto fused =
      rank::FusedOp::create(builder, last->getLoc(), types, group.inputs());
  for (StringRef name : {rank::kTaskAttrName, nn::kAdjointOfAttrName})
    if (mlir::Attribute value = last->getAttr(name))
      fused->setAttr(name, value);

  mlir::IRMapping inside;
  mlir::Block* body = builder.createBlock(&fused.getBody());
  for (Value input : group.inputs())
    inside.map(input, body->addArgument(input.getType(), input.getLoc()));
  for (Operation* op : group.ops()) {
    for (Value operand : op->getOperands())
      if (Operation* maker = operand.getDefiningOp();
          isSplatConstant(maker) && !inside.contains(operand))
        builder.clone(*maker, inside)->removeAttr(rank::kTaskAttrName);
    builder.clone(*op, inside)->removeAttr(rank::kTaskAttrName);
  }
  rank::YieldOp::create(builder, last->getLoc(),
                        llvm::map_to_vector(group.results(), [&](Value result) {
                          return inside.lookup(result);
                        }));
  return fused;
}

/// Replaces the ops of `group` by one. Groups that run before it may have been
/// replaced already.
void fuse(FusionGroup group) {
  group.findTensors();
  rank::FusedOp fused = buildFused(group);
  for (auto [result, made] : llvm::zip(group.results(), fused.getResults()))
    Value(result).replaceUsesWithIf(made, [&](mlir::OpOperand& use) {
      return !group.contains(use.getOwner());
    });
  SmallVector<Operation*> constants;
  for (Operation* op : llvm::reverse(group.ops())) {
    for (Value operand : op->getOperands())
      if (Operation* maker = operand.getDefiningOp(); isSplatConstant(maker))
        constants.push_back(maker);
    op->erase();
  }
  llvm::SmallSetVector<Operation*, 4> once(constants.begin(), constants.end());
  for (Operation* constant : once)
    if (constant->use_empty()) constant->erase();
}

struct FuseElementwise : impl::FuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override { fuseElementwise(getOperation()); }
};

}  // namespace

void fuseElementwise(ModuleOp local) {
  for (auto program : local.getOps<rank::ProgramOp>()) {
    ArgumentLives arguments(program);
    for (FuncOp function : arguments.functions()) {
      if (!function.getBody().hasOneBlock()) continue;
      FusionGroups groups(function, arguments);
      for (const FusionGroup* group : groups.all())
        if (group->isWorthwhile()) fuse(*group);
      arguments.noteCallsIn(function);
    }
  }
}

}  // namespace sbp
