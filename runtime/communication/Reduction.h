// Reductions: combine the terms of a partial tensor.
//
// If members 0, 1, 2, ... have the terms t0, t1, t2, ..., the result is ((t0 +
// t1) + t2) + ..., element by element. The order is the same on every rank and
// for every transport, because floating-point sums depend on it and results
// must not depend on which rank is on which host.
//
// Terms in bf16 are combined in f32, and the result is rounded once at the end.
//
// Sums of integers wrap around; sums of i1 are modulo 2. A maximum or minimum
// with a NaN is that NaN.

#ifndef RUNTIME_COMMUNICATION_REDUCTION_H_
#define RUNTIME_COMMUNICATION_REDUCTION_H_

#include <cstddef>
#include <cstdint>

#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// Computes destination[i] = sources[0][i] op sources[1][i] op ..., in this
/// order, for `bytes` bytes of elements. There is at least one source. A source
/// must be the destination itself, or not overlap it.
void reduceRow(plan::ElementType elementType, plan::ReductionKind reduction,
               const std::byte* const* sources, int64_t numSources,
               int64_t bytes, std::byte* destination);

/// Fills `bytes` bytes with the identity of the reduction: 0 for a sum, the
/// least value for a maximum, the greatest for a minimum. The least and
/// greatest values of floating-point types are infinities.
void fillIdentity(plan::ElementType elementType, plan::ReductionKind reduction,
                  int64_t bytes, std::byte* destination);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_REDUCTION_H_
