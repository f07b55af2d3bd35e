// Calls of functions: func.call, and nn.repeat, which calls a function several
// times.
//
// Both implement mlir::CallOpInterface: their operands are the first arguments
// of the function, and their results have the types of its results. Most code
// that follows calls need not distinguish them.

#ifndef DIALECTS_NN_CALLS_H_
#define DIALECTS_NN_CALLS_H_

#include "dialects/nn/Nn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp::nn {

/// Returns the name of the function that `call` calls.
inline mlir::FlatSymbolRefAttr calleeOf(mlir::CallOpInterface call) {
  return llvm::cast<mlir::FlatSymbolRefAttr>(
      llvm::cast<mlir::SymbolRefAttr>(call.getCallableForCallee()));
}

/// Returns the function that `call` calls, or null if `symbols` has none of its
/// name.
inline mlir::func::FuncOp calleeOf(mlir::CallOpInterface call,
                                   const mlir::SymbolTable& symbols) {
  return symbols.lookup<mlir::func::FuncOp>(calleeOf(call).getAttr());
}

/// Returns the number of times that `call` calls its function.
inline int64_t timesOf(mlir::CallOpInterface call) {
  auto repeat = llvm::dyn_cast<RepeatOp>(*call);
  if (!repeat) return 1;
  auto only = repeat.getOnly();
  return only ? only->size() : static_cast<int64_t>(repeat.getTimes());
}

/// Returns the number of values that `call`, an nn.repeat, passes from one call
/// of its function to the next: its results, which are the last arguments of
/// the next call. 0 for a func.call.
inline int64_t numCarried(mlir::CallOpInterface call) {
  return llvm::isa<RepeatOp>(*call) ? call->getNumResults() : 0;
}

}  // namespace sbp::nn

#endif  // DIALECTS_NN_CALLS_H_
