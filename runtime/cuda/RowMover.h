// Moves rows between buffers by launching functions on the GPU (RowKernels.h).

#ifndef RUNTIME_CUDA_ROWMOVER_H_
#define RUNTIME_CUDA_ROWMOVER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/communication/Collective.h"
#include "runtime/communication/CollectiveBuffers.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Lane.h"
#include "runtime/cuda/RowTable.h"
#include "runtime/cuda/Stream.h"

namespace sbp::cuda {

/// The two launches that do the jobs of a table, ready to run: `lookUp`, then
/// `move`.
struct RowLaunch {
  Launch lookUp, move;
  Address table = 0;
  Address addresses = 0;  // memory to which `lookUp` writes addresses of rows
  std::string name;       // name of the function that `move` runs
};

/// Prepares and starts movements of rows on one GPU. Owns the memory of the GPU
/// that these need.
class RowMover {
 public:
  /// Numbers of owners of buffers in tables (RowKernels.h): kMine is the rank's
  /// arena, kAside a scratch buffer, and kFirstOther the first number for
  /// further owners.
  static constexpr int64_t kMine = 0;
  static constexpr int64_t kAside = 1;
  static constexpr int64_t kFirstOther = 2;

  /// Return the index, in a rank's list of buffers (RowKernels.h), of the
  /// operand and of the result of tensor `tensor` of a collective.
  static int64_t inOf(size_t tensor) {
    return 2 * static_cast<int64_t>(tensor);
  }
  static int64_t outOf(size_t tensor) { return inOf(tensor) + 1; }

  /// Constructs an object for `device`, which must outlive it.
  explicit RowMover(CudaDevice& device) : device_(device) {}
  ~RowMover();

  RowMover(const RowMover&) = delete;
  RowMover& operator=(const RowMover&) = delete;

  /// Allocate memory of the GPU, which is freed with this object, and return
  /// its address. allocate() allocates `bytes` bytes. keep() allocates memory
  /// for `numbers` and copies them there.
  absl::StatusOr<Address> allocate(int64_t bytes);
  absl::StatusOr<Address> keep(const std::vector<int64_t>& numbers);

  /// Returns the numbers with which a table of owners begins: those of kMine,
  /// then those of kAside, whose memory begins at `aside`.
  absl::StatusOr<std::vector<int64_t>> firstOwners(Address aside);

  /// Prepares the launches for `tables`, and appends them to `launches`.
  absl::Status prepare(const std::vector<RowTable>& tables,
                       std::vector<RowLaunch>& launches);

  /// Starts `launches` in the stream of `lane`. `owners` is the address of the
  /// table of owners. `list` is the offset, on the board of `lane`, of the list
  /// of the rank's buffers (Lane::list).
  absl::Status run(const std::vector<RowLaunch>& launches, Address owners,
                   int64_t list, Lane& lane) const;

  /// Fills, in `stream`, the `out` of each tensor of `collective` with the
  /// identity of the reduction, if the tensor needs this
  /// (PreparedTensor::fillsIdentity).
  absl::Status fillIdentities(
      const communication::PreparedCollective& collective,
      absl::Span<const communication::CollectiveBuffers> buffers,
      Stream& stream) const;

 private:
  /// Returns a launch of `function` with enough threads for `numItems` items,
  /// up to a limit; threads may have to process several items each.
  absl::StatusOr<Launch> launchOf(const std::string& function,
                                  int64_t numItems) const;

  CudaDevice& device_;
  std::vector<Address> kept_;
};

/// Returns the jobs that copy rows from operands to results of a local
/// collective.
std::vector<RowJob> localJobs(
    const communication::PreparedCollective& collective);

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_ROWMOVER_H_
