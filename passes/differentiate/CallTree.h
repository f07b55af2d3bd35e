// Checks the functions that a loss function calls, before they are
// differentiated.

#ifndef PASSES_DIFFERENTIATE_CALLTREE_H_
#define PASSES_DIFFERENTIATE_CALLTREE_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// Fails with a diagnostic unless `root`, and every function that it calls
/// directly or indirectly,
///
///   - has a body of one block;
///   - does not call itself, directly or indirectly;
///   - does not set parameters, which is left to the optimiser's step.
LogicalResult verifyCallTree(mlir::func::FuncOp root,
                             mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_CALLTREE_H_
