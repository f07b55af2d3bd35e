// Replaces calls by the ops of the functions that are called.
//
//   %m = call @mean(%a, %n)      %m = nn.div %a, %n

#ifndef PASSES_DIFFERENTIATE_INLINECALLS_H_
#define PASSES_DIFFERENTIATE_INLINECALLS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// Replaces every call in `block` by the ops of the called function, in which
/// calls are replaced in turn. Erases unused ops (EraseUnused.h), so that only
/// those are left on which the terminator of `block` depends. `symbols` has the
/// functions; none may call itself, directly or through others.
void inlineCalls(mlir::Block& block, const mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_INLINECALLS_H_
