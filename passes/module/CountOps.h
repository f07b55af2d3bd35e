// How many ops an entry runs, told without running through them.
//
// Calls are written out in the list of tasks (codegen/plan/TaskList.h), so a
// function that calls another twice comes to twice as many. A few dozen
// functions, each of which calls the one before it twice, are a short text and
// more tasks than any memory holds:
//
//   f0: 1 op   f1: f0, f0   f2: f1, f1   ...   f40: f39, f39     2^40 times
//
// The number is found function by function, and so soon.

#ifndef PASSES_MODULE_COUNTOPS_H_
#define PASSES_MODULE_COUNTOPS_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// Fails with a diagnostic at `entry` if it runs more ops, calls included, than
/// a program may have tasks; a note is at the call behind which most of them
/// are. A function that calls itself is an error elsewhere.
LogicalResult checkNumOps(mlir::func::FuncOp entry,
                          const mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_MODULE_COUNTOPS_H_
