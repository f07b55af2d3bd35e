// The sign of NaN in output.

#ifndef RUNTIME_MATH_NAN_H_
#define RUNTIME_MATH_NAN_H_

#include <cmath>

namespace sbp::math {

/// Returns `value`, but a NaN without a sign. A NaN with a sign would be
/// printed as "-nan", and whether the result of inf - inf has a sign depends on
/// the processor.
template <typename Float>
Float withoutSignOfNan(Float value) {
  return std::isnan(value) ? std::fabs(value) : value;
}

}  // namespace sbp::math

#endif  // RUNTIME_MATH_NAN_H_
