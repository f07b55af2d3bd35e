// Counts the ops that an entry runs, without expanding its calls.
//
// The list of tasks expands calls (codegen/plan/TaskList.h), so a function that
// calls another twice brings in the other's ops twice. A few dozen functions,
// each of which calls the previous one twice, are a short text. But their tasks
// fit into no memory:
//
//   f0: 1 op   f1: f0, f0   f2: f1, f1   ...   f40: f39, f39     2^40 ops
//
// The count is computed once per function, in time linear in the text.

#ifndef PASSES_MODULE_COUNTOPS_H_
#define PASSES_MODULE_COUNTOPS_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// Fails with a diagnostic at `entry` if it runs more ops than a program may
/// have tasks. The ops of a called function count once per call. They count
/// once even if the call repeats its callee (nn.repeat), since the program has
/// one copy of them. A note points at the call that contributes the most.
/// Recursion is not reported here.
LogicalResult checkNumOps(mlir::func::FuncOp entry,
                          const mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_MODULE_COUNTOPS_H_
