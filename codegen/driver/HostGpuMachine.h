// The machine of `--machine auto` for GPUs: the GPUs of this host, and the
// links between them.
//
// Figures that no library states come from the machine file of the nearest chip
// (machines/h100_node.mlir and its siblings), or are assumed. Nothing is
// measured; sbprun --calibrate does that.

#ifndef CODEGEN_DRIVER_HOSTGPUMACHINE_H_
#define CODEGEN_DRIVER_HOSTGPUMACHINE_H_

#include <cstdint>
#include <string>

#include "codegen/cuda/Chip.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "runtime/cuda/HostGpus.h"

namespace sbp {

/// The GPUs of this host, and the chip whose code suits all of them best.
struct FoundGpus {
  cuda::HostGpus host;
  const cuda::Chip* chip = nullptr;  // that of the oldest GPU

  /// Asks the driver and NVML. Fails after `emitError` if there is no GPU, or
  /// one is older than all supported chips.
  static FailureOr<FoundGpus> find(
      llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
};

/// Adds `sbp.machine @host` to `module`: the first `numRanks` GPUs of `found`,
/// or all of them if `numRanks` is 0 or more than there are. GPUs that differ
/// count as the slowest of them. Returns what the machine is and where its
/// figures come from, in one line.
std::string addHostGpuMachine(mlir::ModuleOp module, const FoundGpus& found,
                              int64_t numRanks);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_HOSTGPUMACHINE_H_
