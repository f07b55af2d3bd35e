// A sum of squares of many numbers: it shows whether all of them are finite,
// and how large they are together.

#ifndef RUNTIME_DEVICE_SUMOFSQUARES_H_
#define RUNTIME_DEVICE_SUMOFSQUARES_H_

#include <cstddef>
#include <cstdint>

#include "runtime/plan/Plan.h"

namespace sbp::device {

/// Returns the sum of the squares of `count` floats of `type`, in f64. A sum of
/// finite f32 or bf16 numbers cannot overflow, however many fit into memory. So
/// the sum is finite if and only if all numbers are finite.
double sumOfSquares(plan::ElementType type, const std::byte* floats,
                    int64_t count);

}  // namespace sbp::device

#endif  // RUNTIME_DEVICE_SUMOFSQUARES_H_
