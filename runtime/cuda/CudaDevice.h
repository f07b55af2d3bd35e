// A GPU as the device of a rank.
//
// A rank has a stream, in which its work runs in order; the host does not wait
// for the work, except to read memory.

#ifndef RUNTIME_CUDA_CUDADEVICE_H_
#define RUNTIME_CUDA_CUDADEVICE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/HostCopy.h"
#include "runtime/cuda/Image.h"
#include "runtime/device/Device.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// The device of one rank on a GPU.
class CudaDevice : public device::Device {
 public:
  /// Opens a GPU for the rank that is number `localRank` of its host, loads the
  /// kernels of `plan` from `image`, and allocates an arena of `arenaBytes`
  /// bytes, which are zero at first. The rank gets the GPU of its number among
  /// those that this process sees. If there is only one, launchers have chosen
  /// it for the rank; if there are too few and `mayShare`, ranks get them in
  /// turn. `plan` must outlive the device. Fails, with what to do, if there is
  /// no driver or no GPU for the rank, the GPU is older than the image, the
  /// driver cannot load the image, or memory does not suffice.
  static absl::StatusOr<std::unique_ptr<CudaDevice>> open(
      int64_t localRank, bool mayShare, const plan::Plan& plan,
      const Image& image, int64_t arenaBytes);

  /// Frees the memory after all work has ended.
  ~CudaDevice() override;

  absl::Status run(int64_t kernel, absl::Span<const int64_t> buffers) override;
  absl::Status clear(int64_t buffer, int64_t bytes) override;
  absl::Status setNumber(int64_t buffer, int64_t number) override;
  absl::StatusOr<double> sumOfSquares(
      const std::vector<plan::Gradient>& gradients) override;
  absl::Status wait() override;
  absl::Status read(int64_t offset, int64_t bytes,
                    device::ReadBytes use) override;
  absl::Status write(int64_t offset, int64_t bytes,
                     device::WriteBytes fill) override;
  std::string describe() const override;

 private:
  /// A launch of a kernel, ready to run.
  struct Launch {
    Function function = nullptr;
    unsigned blocks = 1, threads = 1;
  };

  /// Returns the launch that `planned` describes, of a function of the module.
  absl::StatusOr<Launch> find(const plan::Launch& planned) const;

  /// Starts `launch`, on memory at addresses_. `what` names it for errors.
  absl::Status start(const Launch& launch, const std::string& what);

  /// Makes `sums_` large enough for `count` numbers.
  absl::Status reserveSums(int64_t count);

  explicit CudaDevice(const Driver& driver, const plan::Plan& plan)
      : driver_(driver), plan_(plan), readCopy_(driver), writeCopy_(driver) {}

  absl::Status openGpu(int64_t localRank, bool mayShare);
  /// Reads name, identity and capability of `gpu`.
  absl::Status nameGpu(DeviceId gpu);
  absl::Status loadKernels(const Image& image);
  absl::Status allocate(int64_t arenaBytes);
  absl::Status loadModule(const Image& image);

  const Driver& driver_;
  const plan::Plan& plan_;
  std::string name_;    // "NVIDIA H100 80GB HBM3"
  std::string uuid_;    // "GPU-0123abcd..."
  int capability_ = 0;  // of the chip: 90 for sm_90
  Module module_ = nullptr;
  Stream stream_ = nullptr;
  Address arena_ = 0;
  std::vector<std::vector<Launch>> kernels_;  // by plan::Plan::kernels
  std::map<std::string, Launch> squares_;     // by function
  Address sums_ = 0;  // an f64 per block of the launches in squares_
  int64_t numSums_ = 0;
  // Kept, so that a launch allocates nothing.
  std::vector<Address> addresses_;
  std::vector<void*> parameters_;
  HostCopy readCopy_, writeCopy_;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_CUDADEVICE_H_
