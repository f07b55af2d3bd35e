#include "passes/module/SampleDims.h"

#include "dialects/nn/Calls.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

/// Returns the loop of `nest` that runs over the samples of an operand of `op`;
/// kNoLoop if no loop does.
int64_t sampleLoopOf(DistributedOpInterface op, const LoopNest& nest,
                     const SampleDims& dims) {
  for (auto [operand, loops] : llvm::zip(op->getOperands(), nest.operands))
    if (auto dim = dims.of(operand); dim && loops[*dim] != kNoLoop)
      return loops[*dim];
  return kNoLoop;
}

}  // namespace

SampleDims::SampleDims(FuncOp entry, const mlir::SymbolTable& symbols)
    : symbols_(symbols) {
  for (mlir::BlockArgument input : entry.getArguments())
    if (llvm::cast<RankedTensorType>(input.getType()).getRank() > 0)
      dims_[input] = 0;
  walk(entry);
}

std::optional<int64_t> SampleDims::of(Value value) const {
  auto known = dims_.find(value);
  if (known == dims_.end()) return std::nullopt;
  return known->second;
}

void SampleDims::walk(FuncOp function) {
  if (!walked_.insert(function).second) return;
  auto pass = [&](Value from, Value to) {
    if (auto dim = of(from)) dims_.try_emplace(to, *dim);
  };
  for (Operation& op : function.getBody().front()) {
    if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op)) {
      auto callee = nn::calleeOf(call, symbols_);
      for (auto [given, argument] :
           llvm::zip(op.getOperands(), callee.getArguments()))
        pass(given, argument);
      walk(callee);
      Operation* end = callee.getBody().front().getTerminator();
      for (auto [returned, result] :
           llvm::zip(end->getOperands(), op.getResults()))
        pass(returned, result);
    } else if (auto pin = llvm::dyn_cast<PinOp>(op)) {
      pass(pin.getInput(), pin);
    } else if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op)) {
      LoopNest nest = distributed.getLoopNest();
      int64_t samples = sampleLoopOf(distributed, nest, *this);
      if (samples == kNoLoop) continue;
      for (auto [result, loops] : llvm::zip(op.getResults(), nest.results))
        for (auto [dim, loop] : llvm::enumerate(loops))
          if (loop == samples)
            dims_.try_emplace(result, static_cast<int64_t>(dim));
    }
  }
}

}  // namespace sbp
