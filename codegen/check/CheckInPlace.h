// Checks that a kernel computes the same results if it writes them to the
// memory of its operands.

#ifndef CODEGEN_CHECK_CHECKINPLACE_H_
#define CODEGEN_CHECK_CHECKINPLACE_H_

#include <cstdint>

#include "codegen/check/Samples.h"
#include "codegen/interpreter/kernels/KernelEvaluator.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// Runs the CPU kernel of `op` on each of `samples` and compares the results
/// with those of the sample. For each pair of an operand and a result that may
/// share a buffer, as the kernel declares (canWriteInPlace), the two share a
/// buffer in one run. In one more run each result has a buffer of its own,
/// filled with other bytes than when the sample was made, so that elements that
/// the kernel does not write differ. Returns the number of pairs. Fails after
/// an error at `op` if results differ.
FailureOr<int64_t> checkInPlace(Operation* op, ArrayRef<Sample> samples,
                                interpreter::KernelEvaluator& kernels);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_CHECKINPLACE_H_
