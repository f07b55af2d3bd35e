// Counts how often the functions of a program run.

#ifndef PASSES_MODULE_CALLCOUNTS_H_
#define PASSES_MODULE_CALLCOUNTS_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// Returns, for `entry` and all functions that it calls, the number of times
/// that each runs when the entry runs once. Callers come before callees,
/// otherwise functions are in the order of calls. A number above 2^62 is
/// returned as 2^62. Functions must not be recursive.
llvm::MapVector<mlir::func::FuncOp, int64_t> callCounts(
    mlir::func::FuncOp entry, const mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_MODULE_CALLCOUNTS_H_
