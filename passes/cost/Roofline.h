// How long a device computes: the roofline.
//
// An op is done when its FLOPs are computed and its bytes have moved between
// memory and processor. The two overlap, so it takes as long as the longer,
// behind what it takes to start it:
//
//   launch + max(FLOPs / rate, bytes / bandwidth)
//
// where the rate is that of the element type, times the fraction of it that an
// op of so many FLOPs reaches. A type without a rate of its own has that of the
// narrowest float type that is described and no narrower (f16 that of bf16, i32
// that of f32); if there is none, only its bytes count. (Who compiles is told,
// and a rate is assumed: passes/placement/Target.h.)
//
// Source: Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009; the
// curve is ours.

#ifndef PASSES_COST_ROOFLINE_H_
#define PASSES_COST_ROOFLINE_H_

#include "dialects/sbp/Device.h"

namespace sbp {

/// The rate that holds for `type`, or null.
const Rate* rateOf(const Device& device, const ScalarType& type);

/// Seconds of an op of `flops` on elements of `type` that reads and writes
/// `bytes`. Never falls as either grows.
double computeSeconds(const Device& device, const ScalarType& type,
                      double flops, double bytes);

}  // namespace sbp

#endif  // PASSES_COST_ROOFLINE_H_
