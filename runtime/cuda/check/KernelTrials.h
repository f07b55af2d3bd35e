// Kernels with operands and the results that they must compute, in a file.
//
// Tests write such files where they run kernels in the simulator. A machine
// with a GPU reads them and runs the kernels again (RunTrials.h). A file is the
// length of a JSON text in a line, this text, and then the bytes of buffers.

#ifndef RUNTIME_CUDA_CHECK_KERNELTRIALS_H_
#define RUNTIME_CUDA_CHECK_KERNELTRIALS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// A buffer of a kernel, an operand or a result: its bytes before the kernel
/// runs, and after it.
struct TrialBuffer {
  /// Type of the elements; none for scratch memory, whose bytes after the run
  /// do not matter.
  std::optional<plan::ElementType> type;
  std::string before, after;
};

/// A kernel on one set of buffers.
struct KernelTrial {
  std::string name;
  std::vector<plan::Launch> launches;
  std::vector<TrialBuffer> buffers;
};

/// The kernels of one module.
struct KernelTrials {
  /// Code for one chip.
  struct Code {
    std::string chip;
    std::string ptx;
  };
  std::string name;        // of the test that made them
  std::vector<Code> code;  // best chip first
  std::vector<KernelTrial> all;

  /// Writes the trials to a file. Fails if it cannot be written.
  absl::Status write(const std::string& path) const;

  /// Reads what write() wrote. Fails if the file is damaged.
  static absl::StatusOr<KernelTrials> read(const std::string& path);
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_CHECK_KERNELTRIALS_H_
