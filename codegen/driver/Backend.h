// The part of the compiler that depends on the kind of device: it makes kernels
// and code for CPUs, or for GPUs.

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

/// Options that choose the device that kernels are made for.
struct BackendOptions {
  DeviceKind kind = DeviceKind::Cpu;
  /// The CPU by its name in LLVM, or the GPU by its name at NVIDIA: "sm_80". If
  /// not given: this machine's CPU, or the oldest supported GPU.
  std::optional<std::string> cpu, gpu;
};

/// Makes kernels and code for one kind of device.
class Backend {
 public:
  /// Registers the kernels of ops on devices of `kind`. Must run before a
  /// context is made from `registry`.
  static void registerKernels(DeviceKind kind, mlir::DialectRegistry& registry);

  /// Makes the backend that `options` choose, and lets passes in `context` ask
  /// it for the memory that kernels need; the backend outlives `context`. Fails
  /// with a diagnostic if there is no such CPU or GPU.
  static FailureOr<std::unique_ptr<Backend>> create(
      const BackendOptions& options, MLIRContext& context);

  virtual ~Backend() = default;

  virtual DeviceKind kind() const = 0;

  virtual const KernelTarget& target() const = 0;

  /// Adds the default machine of this backend, with `numRanks` devices, to
  /// `module`.
  virtual void addMachine(ModuleOp module, int64_t numRanks) const = 0;

  /// Fails with a diagnostic if this backend does not make `emit`.
  virtual LogicalResult check(Emit emit, MLIRContext& context) const = 0;

  /// Drops all kernels, and returns a provider that makes new ones on demand.
  virtual KernelProvider& startKernels(MLIRContext& context) = 0;

  /// Writes the code of `plan`, whose kernels are those of the last provider.
  /// Fails with a diagnostic.
  virtual LogicalResult writeCode(const plan::Plan& plan,
                                  const CodeOutput& output,
                                  Stopwatch& stopwatch) = 0;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_BACKEND_H_
