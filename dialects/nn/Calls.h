// Calls of functions: func.call, and nn.repeat, which is many.
//
// The operands of both are the first arguments of the function, and the results
// are what it returns. So most of what looks through calls need not tell them
// apart: both are a mlir::CallOpInterface.

#ifndef DIALECTS_NN_CALLS_H_
#define DIALECTS_NN_CALLS_H_

#include "dialects/nn/Nn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp::nn {

/// The name of the function that `call` calls.
inline mlir::FlatSymbolRefAttr calleeOf(mlir::CallOpInterface call) {
  return llvm::cast<mlir::FlatSymbolRefAttr>(
      llvm::cast<mlir::SymbolRefAttr>(call.getCallableForCallee()));
}

/// That function, one of `symbols`; null if there is none of the name.
inline mlir::func::FuncOp calleeOf(mlir::CallOpInterface call,
                                   const mlir::SymbolTable& symbols) {
  return symbols.lookup<mlir::func::FuncOp>(calleeOf(call).getAttr());
}

/// How often `call` calls it.
inline int64_t timesOf(mlir::CallOpInterface call) {
  auto repeat = llvm::dyn_cast<RepeatOp>(*call);
  if (!repeat) return 1;
  auto only = repeat.getOnly();
  return only ? only->size() : static_cast<int64_t>(repeat.getTimes());
}

/// How many results `call` carries: what the function returns, it is given the
/// next time as its last arguments.
inline int64_t numCarried(mlir::CallOpInterface call) {
  return llvm::isa<RepeatOp>(*call) ? call->getNumResults() : 0;
}

}  // namespace sbp::nn

#endif  // DIALECTS_NN_CALLS_H_
