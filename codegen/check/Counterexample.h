// Diagnostics that show a case in which an op breaks a promise.

#ifndef CODEGEN_CHECK_COUNTEREXAMPLE_H_
#define CODEGEN_CHECK_COUNTEREXAMPLE_H_

#include <vector>

#include "codegen/interpreter/Tensor.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/Diagnostics.h"

namespace sbp::check {

/// Returns an error at `op`, with notes of the op's text, which has its shapes
/// and attributes, and of those of `operands` that are small enough to read.
/// The caller adds the message.
mlir::InFlightDiagnostic counterexample(Operation* op,
                                        ArrayRef<interpreter::Tensor> operands);

/// Returns the text of the first of `held`, for an error that tells why
/// something failed.
std::string reasonOf(ArrayRef<mlir::Diagnostic> held);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_COUNTEREXAMPLE_H_
