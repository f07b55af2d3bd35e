// Ops that are drawn at random, of which only the name is known.

#ifndef CODEGEN_CHECK_DRAWTRIAL_H_
#define CODEGEN_CHECK_DRAWTRIAL_H_

#include "codegen/check/Draws.h"
#include "codegen/check/OpTrial.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/OperationSupport.h"

namespace sbp::check {

/// Returns an op named `name` with as many operands and results as such ops
/// have, and with shapes and attributes that may go together. It may lack the
/// attributes `optional`, and has all others.
OpTrial drawTrial(MLIRContext* context, mlir::RegisteredOperationName name,
                  ArrayRef<mlir::StringAttr> optional, Draws& draws);

/// Whether ops named `name` differ in their numbers of operands: some are
/// optional, or variadic.
bool takesAnyNumberOfOperands(mlir::RegisteredOperationName name);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_DRAWTRIAL_H_
