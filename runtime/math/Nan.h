// NaN as it is shown.

#ifndef RUNTIME_MATH_NAN_H_
#define RUNTIME_MATH_NAN_H_

#include <cmath>

namespace sbp::math {

/// `value`, and for NaN one without a sign. The sign says nothing: inf - inf
/// has one on this processor and none on another, and it would be shown, as
/// "-nan".
template <typename Float>
Float withoutSignOfNan(Float value) {
  return std::isnan(value) ? std::fabs(value) : value;
}

}  // namespace sbp::math

#endif  // RUNTIME_MATH_NAN_H_
