// Checks that an op that is split over ranks computes what the whole op does.

#ifndef CODEGEN_CHECK_CHECKSIGNATURES_H_
#define CODEGEN_CHECK_CHECKSIGNATURES_H_

#include <cstdint>
#include <vector>

#include "codegen/check/Samples.h"
#include "codegen/interpreter/Evaluators.h"
#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// Runs `op`, a DistributedOpInterface, on each of `meshes`, by legal choices
/// of its signatures (SignatureChoices.h), on each of `samples`. Compares the
/// results with those of the sample. On a mesh of one axis all choices are run;
/// on others at most 24, drawn at random. Terms of Partial operands are random,
/// which tests properties such as linearity too. Returns the number of choices
/// that were run. Fails after an error at `op` at the first choice that cannot
/// run, or whose results differ by more than rounding.
FailureOr<int64_t> checkSignatures(Operation* op, ArrayRef<Mesh> meshes,
                                   ArrayRef<Sample> samples,
                                   const interpreter::Evaluators& evaluators);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_CHECKSIGNATURES_H_
