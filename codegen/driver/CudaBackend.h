// Kernels for NVIDIA's GPUs.
//
// The outputs after the local form are the plan, the kernels in the gpu
// dialect, as LLVM IR and as PTX, and the program, which has the plan and the
// PTX in it.

#ifndef CODEGEN_DRIVER_CUDABACKEND_H_
#define CODEGEN_DRIVER_CUDABACKEND_H_

#include <optional>
#include <vector>

#include "codegen/cpu/ProgramTable.h"
#include "codegen/cuda/Chip.h"
#include "codegen/cuda/CudaKernelTarget.h"
#include "codegen/cuda/DeviceKernels.h"
#include "codegen/driver/Backend.h"

namespace sbp {

/// Makes kernels for one model of GPU.
class CudaBackend : public Backend {
 public:
  /// `chip` is one of cuda::chips().
  explicit CudaBackend(const cuda::Chip& chip) : chip_(chip) {}

  DeviceKind kind() const override { return DeviceKind::Gpu; }
  const KernelTarget& target() const override { return target_; }
  void addMachine(ModuleOp module, int64_t numRanks) const override;
  LogicalResult check(Emit emit, MLIRContext& context) const override;
  KernelProvider& startKernels(MLIRContext& context) override;
  LogicalResult writeCode(const plan::Plan& plan, const CodeOutput& output,
                          Stopwatch& stopwatch) override;

 private:
  /// Links the program of `plan`, JSON text, with its kernels to the file at
  /// `path`. `images`, the best one first, are for different chips. Fails after
  /// a diagnostic.
  LogicalResult link(MLIRContext& context, StringRef plan,
                     std::vector<cpu::GpuImage> images, StringRef path) const;

  const cuda::Chip& chip_;
  cuda::CudaKernelTarget target_;
  std::optional<cuda::DeviceKernels> kernels_;  // set by startKernels()
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CUDABACKEND_H_
