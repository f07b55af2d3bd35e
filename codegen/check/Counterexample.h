// Diagnostics that show a case in which an op breaks a promise.

#ifndef CODEGEN_CHECK_COUNTEREXAMPLE_H_
#define CODEGEN_CHECK_COUNTEREXAMPLE_H_

#include <vector>

#include "codegen/interpreter/Tensor.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/Diagnostics.h"

namespace sbp::check {

/// Returns an error at `op`, to which the caller adds the message. Notes show
/// the text of the op, with its shapes and attributes, and each of `operands`
/// that has at most 24 elements.
mlir::InFlightDiagnostic counterexample(Operation* op,
                                        ArrayRef<interpreter::Tensor> operands);

/// Returns the text of the first of `held`, the diagnostics that a failure has
/// emitted. The text states the reason in another error. If there is no
/// diagnostic, the text says so.
std::string reasonOf(ArrayRef<mlir::Diagnostic> held);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_COUNTEREXAMPLE_H_
