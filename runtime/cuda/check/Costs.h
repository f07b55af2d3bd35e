// What operations of a GPU cost: launches, events, gates and copies.

#ifndef RUNTIME_CUDA_CHECK_COSTS_H_
#define RUNTIME_CUDA_CHECK_COSTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/Gpu.h"
#include "runtime/cuda/Stream.h"

namespace sbp::cuda {

/// Name of the cost that each kernel of a program has besides its work.
inline constexpr char kKernelInProgram[] = "kernels in graphs";

/// A measured cost: the median of several repetitions.
struct Cost {
  std::string what;  // "launch"
  double value = 0;
  std::string unit;  // "us" or "GB/s"
};

/// Measures on `gpu`, with no other work on it. `nothing` is a kernel that does
/// nothing, or almost, with `arguments`.
///
///   launch         time in which the host starts an empty kernel
///   kernels        time of an empty kernel in a stream of them
///   events         time of an empty kernel if two streams take turns, each
///                  waiting for the other
///   gate           time of a write of a word and a wait for it
///   wait           time from an empty kernel to the host that waits for it
///   to GPU, to host
///                  rates of copies of 64 MB between pinned memory and the GPU
///   fill           rate at which 64 MB of the GPU's memory are filled
///
/// Fails if a call of the driver does.
absl::StatusOr<std::vector<Cost>> measureCosts(
    const Gpu& gpu, const Launch& nothing, absl::Span<const Address> arguments);

/// Measures with a module of its own, which it loads into `gpu`.
absl::StatusOr<std::vector<Cost>> measureCosts(Gpu& gpu);

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_CHECK_COSTS_H_
