// Kernels for NVIDIA's GPUs.
//
// The outputs after the local form are the plan, the kernels in the gpu
// dialect, as LLVM IR and as PTX, and the program, which has the plan and the
// PTX in it, and machine code if there is an assembler.

#ifndef CODEGEN_DRIVER_CUDABACKEND_H_
#define CODEGEN_DRIVER_CUDABACKEND_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/cpu/ProgramTable.h"
#include "codegen/cuda/Assembler.h"
#include "codegen/cuda/Chip.h"
#include "codegen/cuda/CudaKernelTarget.h"
#include "codegen/cuda/DeviceKernels.h"
#include "codegen/driver/Backend.h"
#include "codegen/driver/HostGpuMachine.h"

namespace sbp {

/// Makes kernels for one model of GPU.
class CudaBackend : public Backend {
 public:
  /// `chip` is one of cuda::chips(). `assembler` assembles kernels for it. If
  /// that is impossible, writeCode() fails if `isWanted` is true, and otherwise
  /// warns and leaves it to NVIDIA's driver. `gpus` are the machine of
  /// addMachine(); if there are none, it is a node of `chip`.
  CudaBackend(const cuda::Chip& chip, std::optional<cuda::Assembler> assembler,
              bool isWanted, std::optional<FoundGpus> gpus)
      : chip_(chip),
        assembler_(std::move(assembler)),
        isWanted_(isWanted),
        gpus_(std::move(gpus)) {}

  DeviceKind kind() const override { return DeviceKind::Gpu; }
  const KernelTarget& target() const override { return target_; }
  void addMachine(ModuleOp module, int64_t numRanks) const override;
  LogicalResult check(Emit emit, MLIRContext& context) const override;
  KernelProvider& startKernels(MLIRContext& context) override;
  LogicalResult writeCode(const plan::Plan& plan, const CodeOutput& output,
                          Stopwatch& stopwatch) override;
  std::string describeCode() const override { return described_; }

 private:
  /// Adds the machine code of `ptx` to `images`, if there is an assembler.
  LogicalResult assemble(MLIRContext& context, StringRef ptx,
                         std::vector<cpu::GpuImage>& images);

  /// Links the program of `plan`, JSON text, with its kernels to the file at
  /// `path`. `images` are for different chips, first the image for the chip of
  /// this backend. Fails after a diagnostic.
  LogicalResult link(MLIRContext& context, StringRef plan,
                     std::vector<cpu::GpuImage> images, StringRef path) const;

  const cuda::Chip& chip_;
  const std::optional<cuda::Assembler> assembler_;
  const bool isWanted_;
  const std::optional<FoundGpus> gpus_;
  std::string described_;
  cuda::CudaKernelTarget target_;
  std::optional<cuda::DeviceKernels> kernels_;  // set by startKernels()
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CUDABACKEND_H_
