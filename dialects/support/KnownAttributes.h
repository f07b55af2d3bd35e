// Check that a dialect knows the discardable attributes with its prefix.
//
// MLIR accepts any attribute on any op, so a misspelt `sbp.pinn` would be
// ignored silently. Therefore each dialect of the project lists its attributes:
// those of ops, of arguments, and of results.

#ifndef DIALECTS_SUPPORT_KNOWNATTRIBUTES_H_
#define DIALECTS_SUPPORT_KNOWNATTRIBUTES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Fails at `op` if the name of `attribute` is not in `known`. `known` has the
/// names that the attribute's dialect allows on `where` ("an op", "an
/// argument", "a result"). The diagnostic suggests the most similar name.
LogicalResult verifyKnown(Operation* op, mlir::NamedAttribute attribute,
                          StringRef where, ArrayRef<llvm::StringLiteral> known);

}  // namespace sbp

#endif  // DIALECTS_SUPPORT_KNOWNATTRIBUTES_H_
