// NaN in output.

#ifndef RUNTIME_MATH_NAN_H_
#define RUNTIME_MATH_NAN_H_

#include <cmath>

namespace sbp::math {

/// Returns `value`; if it is a NaN, without the sign. Whether inf - inf has a
/// sign depends on the processor, and a NaN with a sign is printed as "-nan".
template <typename Float>
Float withoutSignOfNan(Float value) {
  return std::isnan(value) ? std::fabs(value) : value;
}

}  // namespace sbp::math

#endif  // RUNTIME_MATH_NAN_H_
