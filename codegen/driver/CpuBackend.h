// Kernels for CPUs, and the programs that run them.

#ifndef CODEGEN_DRIVER_CPUBACKEND_H_
#define CODEGEN_DRIVER_CPUBACKEND_H_

#include <optional>
#include <utility>

#include "codegen/cpu/CpuKernelTarget.h"
#include "codegen/cpu/KernelLibrary.h"
#include "codegen/driver/Backend.h"

namespace sbp {

/// Makes kernels, and programs with them, for one model of CPU.
class CpuBackend : public Backend {
 public:
  /// If `isForHost`, addMachine() says what this host has.
  CpuBackend(cpu::Target target, bool isForHost)
      : target_(std::move(target)), isForHost_(isForHost) {}

  DeviceKind kind() const override { return DeviceKind::Cpu; }
  const KernelTarget& target() const override { return target_; }
  void addMachine(ModuleOp module, int64_t numRanks) const override;
  LogicalResult check(Emit emit, MLIRContext& context) const override;
  KernelProvider& startKernels(MLIRContext& context) override;
  LogicalResult writeCode(const plan::Plan& plan, const CodeOutput& output,
                          Stopwatch& stopwatch) override;

 private:
  cpu::CpuKernelTarget target_;
  const bool isForHost_;
  std::optional<cpu::KernelLibrary> kernels_;  // set by startKernels()
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CPUBACKEND_H_
