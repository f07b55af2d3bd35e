// Attributes with the prefix of a dialect that the dialect does not know.
//
// MLIR takes any attribute on any op. A misspelt `sbp.pinn` would be a pin that
// nobody keeps, without a word; so each dialect of the project says which
// attributes it has, and where they stand.

#ifndef DIALECTS_SUPPORT_KNOWNATTRIBUTES_H_
#define DIALECTS_SUPPORT_KNOWNATTRIBUTES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Fails at `op` if `attribute`, which has the prefix of a dialect and stands
/// on `where` ("an op", "an argument"), is none of `known`, those that the
/// dialect has there; names the nearest.
LogicalResult verifyKnown(Operation* op, mlir::NamedAttribute attribute,
                          StringRef where, ArrayRef<llvm::StringLiteral> known);

}  // namespace sbp

#endif  // DIALECTS_SUPPORT_KNOWNATTRIBUTES_H_
