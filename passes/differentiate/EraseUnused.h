// Erases ops, including calls, whose results are not used.

#ifndef PASSES_DIFFERENTIATE_ERASEUNUSED_H_
#define PASSES_DIFFERENTIATE_ERASEUNUSED_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/Block.h"

namespace sbp {

/// Erases the ops of `block` on which its terminator does not depend. Keeps ops
/// with side effects. Erases calls too, since the functions of a model have no
/// side effects (CallTree.h).
void eraseUnused(mlir::Block& block);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_ERASEUNUSED_H_
