// The kernels with which GPUs are measured. The compiler makes them when this
// tool is built, from write_kernels.py: products of square matrices, sums of
// long tensors, and the functions that collectives between GPUs run.

#ifndef RUNTIME_CALIBRATION_GPUKERNELS_H_
#define RUNTIME_CALIBRATION_GPUKERNELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/cuda/Image.h"
#include "runtime/plan/Plan.h"

namespace sbp::calibration {

/// A kernel on two operands, as one task runs it.
struct GpuKernel {
  bool isProduct = false;  // or a sum, element by element
  int64_t kernel = 0;      // index into GpuKernels::kernels
  plan::ElementType type = plan::ElementType::kF32;
  std::vector<int64_t> buffers;  // offsets in an arena: operands, result, ...
  int64_t arenaBytes = 0;        // where the last one ends, at most
  int64_t tensorBytes = 0;       // of one operand
  double flops = 0;
  double bytes = 0;  // of operands and result
};

/// The kernels, and the code for all supported chips.
struct GpuKernels {
  std::vector<plan::Kernel> kernels;
  std::vector<GpuKernel> runs;  // products by type, then sums, each ascending
  std::vector<cuda::Image> images;

  /// Reads the kernels from this tool.
  static absl::StatusOr<GpuKernels> load();
};

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_GPUKERNELS_H_
