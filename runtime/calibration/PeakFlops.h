// Loops that do nothing but multiply and add, as fast as this core can.

#ifndef RUNTIME_CALIBRATION_PEAKFLOPS_H_
#define RUNTIME_CALIBRATION_PEAKFLOPS_H_

#include <cstdint>

namespace sbp::calibration {

struct PeakKernels {
  void (*runF32)(int64_t numRounds);
  void (*runF64)(int64_t numRounds);
  double f32FlopsPerRound;
  double f64FlopsPerRound;
};

/// The loops for the widest vectors that this core has: AVX-512, AVX2 with
/// fused multiply-add, or else SSE2.
PeakKernels peakKernels();

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_PEAKFLOPS_H_
