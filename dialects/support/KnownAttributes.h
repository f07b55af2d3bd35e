// Check that a dialect knows the discardable attributes with its prefix.
//
// MLIR accepts any attribute on any op, so a misspelt `sbp.pinn` would be
// ignored silently. Therefore each dialect of the project lists its attributes,
// and on what they may be.

#ifndef DIALECTS_SUPPORT_KNOWNATTRIBUTES_H_
#define DIALECTS_SUPPORT_KNOWNATTRIBUTES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Fails at `op` if `attribute` is none of `known`, the attributes of its
/// dialect on `where` ("an op", "an argument"). The diagnostic suggests the one
/// of `known` with the most similar name.
LogicalResult verifyKnown(Operation* op, mlir::NamedAttribute attribute,
                          StringRef where, ArrayRef<llvm::StringLiteral> known);

}  // namespace sbp

#endif  // DIALECTS_SUPPORT_KNOWNATTRIBUTES_H_
