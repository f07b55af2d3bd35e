// Runs one op in parts, as the compiler would distribute it.

#ifndef CODEGEN_CHECK_DISTRIBUTEDRUN_H_
#define CODEGEN_CHECK_DISTRIBUTEDRUN_H_

#include <cstdint>

#include "codegen/check/SignatureChoices.h"
#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Tensor.h"
#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// Places `op` on `mesh` as `choice` says, builds the programs of its ranks by
/// the pass sbp-localize, cuts the operands, runs each rank's program by
/// `evaluators`, and returns the assembled results. Terms of Partial operands
/// are drawn from `seed`.
///
/// Fails after a diagnostic at the op if its verifier refuses the placed types,
/// if the op on a rank's parts cannot be built or is invalid, if an evaluator
/// fails, or if copies of a result differ between ranks.
FailureOr<interpreter::Results> runDistributed(
    Operation* op, ArrayRef<Signature> choice, const Mesh& mesh,
    ArrayRef<interpreter::Tensor> operands,
    const interpreter::Evaluators& evaluators, uint64_t seed);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_DISTRIBUTEDRUN_H_
