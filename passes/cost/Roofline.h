// The time that a device computes: the roofline model.
//
// An op is done when its FLOPs are computed and its bytes have moved between
// memory and processor. The two overlap, so it takes as long as the longer of
// them, after the time to launch it:
//
//   launch + max(FLOPs / rate, bytes / bandwidth)
//
// The rate is that of the element type, times the fraction of it that an op of
// that number of FLOPs reaches. A type without a rate of its own has the rate
// of the narrowest described float type that is at least as wide (f16 that of
// bf16, i32 that of f32); if there is none, only the bytes count. (The user is
// warned, and a rate is assumed: passes/placement/Target.h.)
//
// Source: Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009; the
// curve is ours.

#ifndef PASSES_COST_ROOFLINE_H_
#define PASSES_COST_ROOFLINE_H_

#include "dialects/sbp/Device.h"

namespace sbp {

/// Returns the rate that applies to `type`, or null.
const Rate* rateOf(const Device& device, const ScalarType& type);

/// Returns the seconds of an op of `flops` on elements of `type` that reads and
/// writes `bytes`. Non-decreasing in both.
double computeSeconds(const Device& device, const ScalarType& type,
                      double flops, double bytes);

}  // namespace sbp

#endif  // PASSES_COST_ROOFLINE_H_
