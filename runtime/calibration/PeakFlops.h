// Loops of multiply-adds that reach the peak FLOP/s of a core.

#ifndef RUNTIME_CALIBRATION_PEAKFLOPS_H_
#define RUNTIME_CALIBRATION_PEAKFLOPS_H_

#include <cstdint>

namespace sbp::calibration {

/// The loops for one vector width, and the number of floating-point operations
/// in one round of each loop. A multiply-add counts as two operations.
struct PeakKernels {
  void (*runF32)(int64_t numRounds);
  void (*runF64)(int64_t numRounds);
  double f32FlopsPerRound;
  double f64FlopsPerRound;
};

/// Returns the loops for the widest vectors that this core has: AVX-512, AVX2
/// with fused multiply-add, or else SSE2.
PeakKernels peakKernels();

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_PEAKFLOPS_H_
