// Kernels for NVIDIA's GPUs.
//
// There is no runtime for GPUs yet, so it makes kernels but no programs.

#ifndef CODEGEN_DRIVER_CUDABACKEND_H_
#define CODEGEN_DRIVER_CUDABACKEND_H_

#include <optional>

#include "codegen/cuda/Chip.h"
#include "codegen/cuda/CudaKernelTarget.h"
#include "codegen/cuda/DeviceKernels.h"
#include "codegen/driver/Backend.h"

namespace sbp {

/// Makes kernels for one GPU.
class CudaBackend : public Backend {
 public:
  explicit CudaBackend(const cuda::Chip& chip) : chip_(chip) {}

  DeviceKind kind() const override { return DeviceKind::Gpu; }
  const KernelTarget& target() const override { return target_; }
  void addMachine(ModuleOp module, int64_t numRanks) const override;
  LogicalResult check(Emit emit, MLIRContext& context) const override;
  KernelProvider& startKernels(MLIRContext& context) override;
  LogicalResult writeCode(const plan::Plan& plan, const CodeOutput& output,
                          Stopwatch& stopwatch) override;

 private:
  const cuda::Chip& chip_;
  cuda::CudaKernelTarget target_;
  std::optional<cuda::DeviceKernels> kernels_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CUDABACKEND_H_
