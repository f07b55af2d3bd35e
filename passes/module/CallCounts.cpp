#include "passes/module/CallCounts.h"

#include <algorithm>

#include "dialects/nn/Calls.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace sbp {

using mlir::CallOpInterface;
using mlir::func::FuncOp;

namespace {

/// Largest count that is returned.
constexpr int64_t kMaxCalls = int64_t{1} << 62;

int64_t saturated(int64_t repeated, int64_t times) {
  int64_t product;
  return llvm::MulOverflow(repeated, times, product)
             ? kMaxCalls
             : std::min(product, kMaxCalls);
}

/// Adds `function` to `order` after all functions that it calls. Visits the
/// calls last to first.
void sortAfterCallees(FuncOp function, const mlir::SymbolTable& symbols,
                      llvm::DenseSet<Operation*>& seen,
                      SmallVector<FuncOp>& order) {
  if (!seen.insert(function).second) return;
  SmallVector<CallOpInterface> calls;
  function.walk([&](CallOpInterface call) { calls.push_back(call); });
  for (CallOpInterface call : llvm::reverse(calls))
    sortAfterCallees(nn::calleeOf(call, symbols), symbols, seen, order);
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
    function.walk([&](CallOpInterface call) {
      int64_t& count = counts[nn::calleeOf(call, symbols)];
      count += std::min(saturated(nn::timesOf(call), times), kMaxCalls - count);
    });
  }
  return counts;
}

}  // namespace sbp
