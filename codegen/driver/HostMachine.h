// The default machine for CPUs: this host.
//
// The machine has this host's memory. Its speeds are such that any server of
// the last ten years reaches them. machines/host.mlir has the machine as text,
// for four ranks and 16 GiB, and the sources of the figures.

#ifndef CODEGEN_DRIVER_HOSTMACHINE_H_
#define CODEGEN_DRIVER_HOSTMACHINE_H_

#include <cstdint>
#include <string>

#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Adds `sbp.machine @host` to `module`: `numRanks` devices, each a core of
/// this host with an equal share of its memory. Returns what the machine is, in
/// one line.
std::string addHostMachine(mlir::ModuleOp module, int64_t numRanks);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_HOSTMACHINE_H_
