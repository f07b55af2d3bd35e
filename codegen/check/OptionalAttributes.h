// Attributes that an op may lack.

#ifndef CODEGEN_CHECK_OPTIONALATTRIBUTES_H_
#define CODEGEN_CHECK_OPTIONALATTRIBUTES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace sbp::check {

/// Returns the names of the inherent attributes that the definition of `op`
/// does not require. `op` must be valid. Emits no diagnostics.
SmallVector<mlir::StringAttr> optionalAttributes(Operation* op);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_OPTIONALATTRIBUTES_H_
