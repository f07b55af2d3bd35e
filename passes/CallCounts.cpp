#include "passes/CallCounts.h"

#include <algorithm>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

/// Sums of two of these are numbers still.
constexpr int64_t kMostCalls = int64_t{1} << 62;

/// Adds to `order` all that `function` calls, the last call first, then
/// `function`.
void sortAfterCallees(FuncOp function, const mlir::SymbolTable& symbols,
                      llvm::DenseSet<Operation*>& seen,
                      SmallVector<FuncOp>& order) {
  if (!seen.insert(function).second) return;
  SmallVector<CallOp> calls;
  function.walk([&](CallOp call) { calls.push_back(call); });
  for (CallOp call : llvm::reverse(calls))
    sortAfterCallees(symbols.lookup<FuncOp>(call.getCallee()), symbols, seen,
                     order);
  order.push_back(function);
}

}  // namespace

llvm::MapVector<FuncOp, int64_t> callCounts(FuncOp entry,
                                            const mlir::SymbolTable& symbols) {
  SmallVector<FuncOp> order;
  llvm::DenseSet<Operation*> seen;
  sortAfterCallees(entry, symbols, seen, order);
  llvm::MapVector<FuncOp, int64_t> counts;
  for (FuncOp function : llvm::reverse(order)) counts[function] = 0;
  counts[entry] = 1;
  for (FuncOp function : llvm::reverse(order)) {
    int64_t times = counts[function];
    function.walk([&](CallOp call) {
      int64_t& count = counts[symbols.lookup<FuncOp>(call.getCallee())];
      count = std::min(count + times, kMostCalls);
    });
  }
  return counts;
}

}  // namespace sbp
