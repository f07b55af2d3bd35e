// The machine that a program gets when nobody says what machine it has.
//
// It is this host, with figures that any server of the last ten years reaches;
// machines/host.mlir says the same in text and where the figures come from.

#ifndef CODEGEN_DRIVER_HOSTMACHINE_H_
#define CODEGEN_DRIVER_HOSTMACHINE_H_

#include <cstdint>

#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Adds `sbp.machine @host` of `numRanks` ranks on this host to `module`. The
/// ranks share the memory that the host has.
void addHostMachine(mlir::ModuleOp module, int64_t numRanks);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_HOSTMACHINE_H_
