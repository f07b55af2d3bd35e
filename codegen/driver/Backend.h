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
  /// `cpu` is LLVM's name of the CPU, or "host" for the CPU of this machine.
  /// `gpu` is NVIDIA's name of the GPU: "sm_80". By default kernels are made
  /// for the CPU of this machine, or for the oldest supported GPU. The name for
  /// the other kind of device must not be given.
  std::optional<std::string> cpu, gpu;
  /// The ptxas that assembles kernels for GPUs, or "none". By default, one that
  /// is found (cuda::Assembler::find()), if there is one.
  std::optional<std::string> ptxas;
};

/// Makes kernels and code for one kind of device.
class Backend {
 public:
  /// Registers in `registry` the kernels of ops on devices of `kind`. Must be
  /// called before a context is made from `registry`.
  static void registerKernels(DeviceKind kind, mlir::DialectRegistry& registry);

  /// Makes the backend that `options` choose, and lets passes in `context` ask
  /// it for the memory that kernels need. The backend must live as long as
  /// passes run in `context`. Must succeed at most once per context. Fails with
  /// a diagnostic if LLVM does not know the CPU, if the CPU is an x86 older
  /// than x86-64-v2, if the compiler does not know the GPU, or if `options`
  /// name a processor of the other kind. If `isForHost`, the machine of
  /// addMachine() is this host, and without a name the GPU is that of this
  /// host; create() then also fails if this host has no GPUs that programs run
  /// on.
  static FailureOr<std::unique_ptr<Backend>> create(
      const BackendOptions& options, bool isForHost, MLIRContext& context);

  virtual ~Backend() = default;

  virtual DeviceKind kind() const = 0;

  virtual const KernelTarget& target() const = 0;

  /// Adds a machine with `numRanks` devices to `module`, or with as many as
  /// there are, if `numRanks` is 0. It is the default machine of this backend,
  /// or this host (create()); a remark then says what was found.
  virtual void addMachine(ModuleOp module, int64_t numRanks) const = 0;

  /// Fails with a diagnostic if this backend cannot make outputs of the kind
  /// `emit`.
  virtual LogicalResult check(Emit emit, MLIRContext& context) const = 0;

  /// Drops all kernels, and returns a provider that makes new ones on demand.
  /// The backend owns the provider. The next call of startKernels() makes the
  /// provider invalid.
  virtual KernelProvider& startKernels(MLIRContext& context) = 0;

  /// Writes the code of `plan` as the kind of output `output.emit`, which must
  /// come after Emit::Plan and be accepted by check(). If there is a folder for
  /// forms, first writes the forms of kernels up to this kind to it. The
  /// kernels of `plan` must come from the last provider of startKernels(). May
  /// be called once per provider. Fails after a diagnostic.
  virtual LogicalResult writeCode(const plan::Plan& plan,
                                  const CodeOutput& output,
                                  Stopwatch& stopwatch) = 0;

  /// Returns what is worth to say about the code of a program that writeCode()
  /// has written, such as "kernels as PTX for sm_80"; "" if there is nothing.
  virtual std::string describeCode() const { return ""; }
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_BACKEND_H_
