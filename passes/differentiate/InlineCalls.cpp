#include "passes/differentiate/InlineCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/differentiate/EraseUnused.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

void inlineCall(CallOp call, const mlir::SymbolTable& symbols) {
  auto callee = symbols.lookup<FuncOp>(call.getCallee());
  mlir::Block& body = callee.getBody().front();
  mlir::IRMapping mapping;
  mapping.map(body.getArguments(), call.getOperands());
  OpBuilder builder(call);
  for (Operation& op : body.without_terminator()) builder.clone(op, mapping);
  for (auto [result, returned] :
       llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookup(returned));
  call.erase();
}

}  // namespace

void inlineCalls(mlir::Block& block, const mlir::SymbolTable& symbols) {
  eraseUnused(block);
  auto calls = llvm::to_vector(block.getOps<CallOp>());
  while (!calls.empty()) {
    for (CallOp call : calls) inlineCall(call, symbols);
    eraseUnused(block);
    calls = llvm::to_vector(block.getOps<CallOp>());
  }
}

}  // namespace sbp
