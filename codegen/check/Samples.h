// Random values for the operands of an op that is checked.

#ifndef CODEGEN_CHECK_SAMPLES_H_
#define CODEGEN_CHECK_SAMPLES_H_

#include <cstdint>
#include <vector>

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Tensor.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// Operands of an op, and the results of the whole op on them.
struct Sample {
  std::vector<interpreter::Tensor> operands;
  interpreter::Results results;
};

/// Returns three samples for `op`. Their results are computed by `evaluator`.
/// The floats of the samples differ in kind, since a rule may be false for some
/// values only: normally distributed ones, larger ones, and small integers,
/// many of which are equal. If results are NaN, as logarithms of negative
/// numbers are, floats are positive instead, and if that does not help, between
/// 0 and 1. Integers are below the bound that the op states (IndexOpInterface),
/// or below 2 if it states none. Fails if the evaluator fails.
FailureOr<std::vector<Sample>> samplesOf(
    Operation* op, const interpreter::Evaluator& evaluator);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_SAMPLES_H_
