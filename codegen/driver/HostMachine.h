// The default machine for CPUs: this host.
//
// It has this host's memory. Its speeds are those that any server of the last
// ten years reaches; machines/host.mlir has the same machine as text, and the
// sources of the figures.

#ifndef CODEGEN_DRIVER_HOSTMACHINE_H_
#define CODEGEN_DRIVER_HOSTMACHINE_H_

#include <cstdint>

#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Adds `sbp.machine @host` of `numRanks` ranks on this host to `module`. The
/// ranks share the host's memory equally.
void addHostMachine(mlir::ModuleOp module, int64_t numRanks);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_HOSTMACHINE_H_
