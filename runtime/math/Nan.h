// NaN in output.

#ifndef RUNTIME_MATH_NAN_H_
#define RUNTIME_MATH_NAN_H_

#include <cmath>

namespace sbp::math {

/// Returns `value`, but a NaN without its sign. The sign of a NaN depends on
/// the processor (inf - inf has one on some), and would be printed as "-nan".
template <typename Float>
Float withoutSignOfNan(Float value) {
  return std::isnan(value) ? std::fabs(value) : value;
}

}  // namespace sbp::math

#endif  // RUNTIME_MATH_NAN_H_
