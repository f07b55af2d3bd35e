// Replaces calls by the ops of the functions that are called.
//
//   %m = call @mean(%a, %n)      %m = nn.div %a, %n

#ifndef PASSES_DIFFERENTIATE_INLINECALLS_H_
#define PASSES_DIFFERENTIATE_INLINECALLS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// Replaces every call in `block` by the ops of the called function, and the
/// calls among these ops in the same way. Erases unused ops (EraseUnused.h), so
/// only ops remain on which the terminator of `block` depends. `symbols` must
/// be the symbol table of the functions, which must not be recursive.
void inlineCalls(mlir::Block& block, const mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_INLINECALLS_H_
