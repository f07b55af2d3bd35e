// Random draws of ops with a given name. The name is all that is known of the
// op.

#ifndef CODEGEN_CHECK_DRAWTRIAL_H_
#define CODEGEN_CHECK_DRAWTRIAL_H_

#include "codegen/check/Draws.h"
#include "codegen/check/OpTrial.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/OperationSupport.h"

namespace sbp::check {

/// Returns the description of a random op named `name`. Traits of `name` may
/// prescribe the numbers of operands and results; otherwise the op has a few
/// operands and one result. Its shapes and attributes are drawn such that the
/// op has a chance to be valid. Attributes in `optional` may be absent; all
/// other attributes are present.
OpTrial drawTrial(MLIRContext* context, mlir::RegisteredOperationName name,
                  ArrayRef<mlir::StringAttr> optional, Draws& draws);

/// Whether the number of operands may differ between ops named `name`, because
/// an operand is optional or variadic.
bool takesAnyNumberOfOperands(mlir::RegisteredOperationName name);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_DRAWTRIAL_H_
