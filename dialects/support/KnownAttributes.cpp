#include "dialects/support/KnownAttributes.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Diagnostics.h"

namespace sbp {

LogicalResult verifyKnown(Operation* op, mlir::NamedAttribute attribute,
                          StringRef where,
                          ArrayRef<llvm::StringLiteral> known) {
  StringRef name = attribute.getName();
  if (llvm::is_contained(known, name)) return success();
  StringRef nearest = *llvm::min_element(known, [&](StringRef a, StringRef b) {
    return name.edit_distance(a) < name.edit_distance(b);
  });
  return op->emitOpError() << "has '" << name << "', which is no attribute of "
                           << where << "; the nearest is '" << nearest << "'";
}

}  // namespace sbp
