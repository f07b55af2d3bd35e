// How often the functions of a program run.

#ifndef PASSES_MODULE_CALLCOUNTS_H_
#define PASSES_MODULE_CALLCOUNTS_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// `entry` and all functions that it calls, each after its callers and else in
/// the order of calls, and how often each runs when the entry runs once; 2^62
/// stands for more. Calls must not recur.
llvm::MapVector<mlir::func::FuncOp, int64_t> callCounts(
    mlir::func::FuncOp entry, const mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_MODULE_CALLCOUNTS_H_
