// A sum of squares: tells whether many numbers are all finite, and how large
// they are.

#ifndef RUNTIME_EXECUTE_SUMOFSQUARES_H_
#define RUNTIME_EXECUTE_SUMOFSQUARES_H_

#include <cstddef>
#include <cstdint>

#include "runtime/plan/Plan.h"

namespace sbp::execute {

/// Returns the sum of the squares of `count` floats of `type`, in f64. It
/// cannot overflow for finite f32 or bf16 numbers, of as many as memory can
/// hold; so it is finite if and only if all of them are.
double sumOfSquares(plan::ElementType type, const std::byte* floats,
                    int64_t count);

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_SUMOFSQUARES_H_
