// Combining the terms of a partial tensor.
//
// The value of a reduction of members 0, 1, 2, ... is ((t0 + t1) + t2) + ...,
// element by element, in that order whoever computes it: floating-point sums
// depend on the order, and results must not depend on how ranks are spread.
//
// Of bf16 the value is that in f32, rounded once at the end.
//
// Sums of integers wrap; of i1 they are modulo 2. A maximum or minimum with a
// NaN is that NaN.

#ifndef RUNTIME_COMMUNICATION_REDUCTION_H_
#define RUNTIME_COMMUNICATION_REDUCTION_H_

#include <cstddef>
#include <cstdint>

#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// destination[i] = sources[0][i] op sources[1][i] op ... for `bytes` bytes of
/// elements, in order. At least one source; each is apart from the destination
/// or is the destination.
void reduceRow(plan::ElementType elementType, plan::ReductionKind reduction,
               const std::byte* const* sources, int64_t numSources,
               int64_t bytes, std::byte* destination);

/// Fills `bytes` bytes with the element that changes nothing: 0 for a sum, the
/// least or greatest value, infinities included, for a maximum or minimum.
void fillIdentity(plan::ElementType elementType, plan::ReductionKind reduction,
                  int64_t bytes, std::byte* destination);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_REDUCTION_H_
