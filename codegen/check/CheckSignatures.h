// Checks that an op in parts computes what the whole op does.

#ifndef CODEGEN_CHECK_CHECKSIGNATURES_H_
#define CODEGEN_CHECK_CHECKSIGNATURES_H_

#include <cstdint>
#include <vector>

#include "codegen/check/Samples.h"
#include "codegen/interpreter/Evaluators.h"
#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// Runs `op`, a DistributedOpInterface, on each of `meshes` by the legal
/// choices of its signatures, on each of `samples`, and compares the results
/// with the samples'. On meshes of several axes, some of many choices are
/// drawn. Terms of Partial operands are random, so linearity and its like are
/// tested as well. Returns the number of choices. Fails after an error at `op`
/// at the first choice whose results differ by more than rounding, or that
/// cannot run.
FailureOr<int64_t> checkSignatures(Operation* op, ArrayRef<Mesh> meshes,
                                   ArrayRef<Sample> samples,
                                   const interpreter::Evaluators& evaluators);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_CHECKSIGNATURES_H_
