// Checks the gradients of an op against finite differences.

#ifndef CODEGEN_CHECK_CHECKADJOINT_H_
#define CODEGEN_CHECK_CHECKADJOINT_H_

#include <cstdint>

#include "codegen/check/Samples.h"
#include "codegen/interpreter/Evaluators.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// Builds the adjoint of `op` (DifferentiableOpInterface), runs it at each of
/// `samples`, and compares the gradient of each floating-point operand with
/// finite differences of the op itself. With L = sum(g * op(x)) for random g,
/// the gradient of x is dL/dx. Where L has a kink, any slope between the slopes
/// on its two sides is right. A gradient that the adjoint leaves out counts as
/// zero.
///
/// Returns the number of operands whose gradients were checked: 0 if the op has
/// no adjoint. Fails after an error at `op` if a gradient is wrong, or if the
/// adjoint is invalid or cannot run.
FailureOr<int64_t> checkAdjoint(Operation* op, ArrayRef<Sample> samples,
                                const interpreter::Evaluators& evaluators);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_CHECKADJOINT_H_
