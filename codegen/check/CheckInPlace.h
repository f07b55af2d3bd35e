// Checks that a kernel computes the same in the memory of its operands.

#ifndef CODEGEN_CHECK_CHECKINPLACE_H_
#define CODEGEN_CHECK_CHECKINPLACE_H_

#include <cstdint>

#include "codegen/check/Samples.h"
#include "codegen/interpreter/kernels/KernelEvaluator.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// Runs the CPU kernel of `op` on each of `samples` with each result in the
/// buffer of each operand that the kernel says it may share, and once in fresh
/// buffers of other bytes, so that elements that are not written show. Returns
/// the number of pairs of operand and result. Fails after an error at `op` if
/// results differ.
FailureOr<int64_t> checkInPlace(Operation* op, ArrayRef<Sample> samples,
                                interpreter::KernelEvaluator& kernels);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_CHECKINPLACE_H_
