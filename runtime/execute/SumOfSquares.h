// One number that tells of many whether they are large, and whether all are
// finite.

#ifndef RUNTIME_EXECUTE_SUMOFSQUARES_H_
#define RUNTIME_EXECUTE_SUMOFSQUARES_H_

#include <cstddef>
#include <cstdint>

#include "runtime/plan/Plan.h"

namespace sbp::execute {

/// The sum of the squares of `count` floats of `type`, in f64: the square of no
/// finite f32 or bf16 is too large for it, nor is the sum of as many as memory
/// can hold. So it is finite if and only if all of them are.
double sumOfSquares(plan::ElementType type, const std::byte* floats,
                    int64_t count);

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_SUMOFSQUARES_H_
