// The roofline model of the time that a device computes.
//
// An op is done when its FLOPs are computed and its bytes have moved between
// memory and processor. Computing and moving overlap, so the op takes the
// longer of both times, after the time to launch it:
//
//   launch + max(FLOPs / rate, bytes / bandwidth)
//
// The rate is the peak rate of the element type, times the fraction of it that
// an op of that number of FLOPs reaches (Device.h). A type without a rate of
// its own has the rate of the narrowest float type in the device's description
// that is at least as wide (f16 that of bf16, i32 that of f32). If there is
// none, only the bytes count. (Target::deviceOrAssumed in
// passes/placement/Target.h adds a rate for each such type of a program.)
//
// Source: Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009; the
// curve of that fraction is ours.

#ifndef PASSES_COST_ROOFLINE_H_
#define PASSES_COST_ROOFLINE_H_

#include "dialects/sbp/Device.h"

namespace sbp {

/// Returns the rate of `device` that applies to `type`, or null if none does.
const Rate* rateOf(const Device& device, const ScalarType& type);

/// Returns the seconds of an op that does `flops` FLOPs on elements of `type`,
/// and reads and writes `bytes` bytes. Non-decreasing in `flops` and in
/// `bytes`.
double computeSeconds(const Device& device, const ScalarType& type,
                      double flops, double bytes);

}  // namespace sbp

#endif  // PASSES_COST_ROOFLINE_H_
