// The kernels of a program, and its code: for CPUs, or for GPUs.

#ifndef CODEGEN_DRIVER_BACKEND_H_
#define CODEGEN_DRIVER_BACKEND_H_

#include <memory>
#include <optional>
#include <string>

#include "codegen/driver/CodeOutput.h"
#include "codegen/driver/Stopwatch.h"
#include "codegen/plan/KernelProvider.h"
#include "codegen/plan/KernelTarget.h"
#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/DialectRegistry.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// What kernels are made for.
struct BackendOptions {
  DeviceKind kind = DeviceKind::Cpu;
  /// The CPU, by LLVM's name, or the GPU, by NVIDIA's: "sm_80". If there is
  /// none, this machine's CPU, or the oldest GPU that kernels are made for.
  std::optional<std::string> cpu, gpu;
};

class Backend {
 public:
  /// Registers the kernels that ops have on devices of `kind`; a context needs
  /// them from the beginning.
  static void registerKernels(DeviceKind kind, mlir::DialectRegistry& registry);

  /// Passes in `context`, which lives no longer than it, learn what memory
  /// kernels need. Fails with a diagnostic if there is no such CPU or GPU.
  static FailureOr<std::unique_ptr<Backend>> create(
      const BackendOptions& options, MLIRContext& context);

  virtual ~Backend() = default;

  virtual DeviceKind kind() const = 0;

  virtual const KernelTarget& target() const = 0;

  /// Adds the machine that a program has when nobody says otherwise, with
  /// `numRanks` devices, to `module`.
  virtual void addMachine(ModuleOp module, int64_t numRanks) const = 0;

  /// Fails with a diagnostic if it makes no `emit`.
  virtual LogicalResult check(Emit emit, MLIRContext& context) const = 0;

  /// No kernels, of which some are to be asked for; those of before are gone.
  virtual KernelProvider& startKernels(MLIRContext& context) = 0;

  /// Writes the code of `plan`, whose kernels are those of the provider. Fails
  /// with a diagnostic.
  virtual LogicalResult writeCode(const plan::Plan& plan,
                                  const CodeOutput& output,
                                  Stopwatch& stopwatch) = 0;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_BACKEND_H_
