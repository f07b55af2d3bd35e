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
  /// it for the memory that kernels need. The backend must live as long as
  /// passes run in `context`. Fails with a diagnostic if LLVM or the compiler
  /// does not know the CPU or GPU, or if `options` name one of the other kind.
  static FailureOr<std::unique_ptr<Backend>> create(
      const BackendOptions& options, MLIRContext& context);

  virtual ~Backend() = default;

  virtual DeviceKind kind() const = 0;

  virtual const KernelTarget& target() const = 0;

  /// Adds the default machine of this backend, with `numRanks` devices, to
  /// `module`.
  virtual void addMachine(ModuleOp module, int64_t numRanks) const = 0;

  /// Fails with a diagnostic if this backend cannot make the output `emit`.
  virtual LogicalResult check(Emit emit, MLIRContext& context) const = 0;

  /// Drops all kernels, and returns a provider that makes new ones on demand.
  /// The backend owns the provider; it is valid until the next call.
  virtual KernelProvider& startKernels(MLIRContext& context) = 0;

  /// Writes the code of `plan` to `output`, after the forms on the way to it if
  /// there is a folder for them. `plan` must be made with the last provider of
  /// startKernels(). May be called once per provider. Fails after a diagnostic.
  virtual LogicalResult writeCode(const plan::Plan& plan,
                                  const CodeOutput& output,
                                  Stopwatch& stopwatch) = 0;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_BACKEND_H_
