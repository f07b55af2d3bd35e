// Checks the functions that a loss function calls, before they are
// differentiated.

#ifndef PASSES_DIFFERENTIATE_CALLTREE_H_
#define PASSES_DIFFERENTIATE_CALLTREE_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// Fails with a diagnostic if `root`, or a function that it calls directly or
/// indirectly,
///
///   - does not have a body of exactly one block;
///   - calls itself, directly or indirectly;
///   - sets parameters, which only the optimiser's step may do.
LogicalResult verifyCallTree(mlir::func::FuncOp root,
                             mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_CALLTREE_H_
