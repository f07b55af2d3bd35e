// Calls of functions: func.call, and nn.repeat, which calls a function several
// times.
//
// Both implement mlir::CallOpInterface: the operands of the call are the first
// arguments of the function, and the results of the call have the types of the
// function's results. An nn.repeat also passes the results of one call as the
// last arguments of the next call; the first call gets zeros. Most code that
// goes from a call into its function need not distinguish the two.

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

/// Returns the function that `call` calls, or null if `symbols` has no function
/// of that name.
inline mlir::func::FuncOp calleeOf(mlir::CallOpInterface call,
                                   const mlir::SymbolTable& symbols) {
  return symbols.lookup<mlir::func::FuncOp>(calleeOf(call).getAttr());
}

/// Returns the number of calls that `call` makes: 1 if it is a func.call. An
/// nn.repeat makes as many calls as its `only` has numbers, or `times` calls if
/// it has no `only`.
inline int64_t timesOf(mlir::CallOpInterface call) {
  auto repeat = llvm::dyn_cast<RepeatOp>(*call);
  if (!repeat) return 1;
  auto only = repeat.getOnly();
  return only ? only->size() : static_cast<int64_t>(repeat.getTimes());
}

/// Returns the number of values that `call`, an nn.repeat, passes from one call
/// of its function to the next. Returns 0 for a func.call.
inline int64_t numCarried(mlir::CallOpInterface call) {
  return llvm::isa<RepeatOp>(*call) ? call->getNumResults() : 0;
}

}  // namespace sbp::nn

#endif  // DIALECTS_NN_CALLS_H_
