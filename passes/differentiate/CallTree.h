// The functions that a loss function calls, checked before they are
// differentiated.

#ifndef PASSES_DIFFERENTIATE_CALLTREE_H_
#define PASSES_DIFFERENTIATE_CALLTREE_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// Fails with a diagnostic unless `root`, and every function that it calls
///
///   - has a body of one block;
///   - does not call itself, not by way of others either;
///   - does not set parameters, which is the optimiser's task.
LogicalResult verifyCallTree(mlir::func::FuncOp root,
                             mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_CALLTREE_H_
