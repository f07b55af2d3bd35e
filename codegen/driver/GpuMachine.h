// The default machine for GPUs: one node of equal GPUs, with the figures of the
// files in machines/, such as a100_node.mlir.

#ifndef CODEGEN_DRIVER_GPUMACHINE_H_
#define CODEGEN_DRIVER_GPUMACHINE_H_

#include <cstdint>

#include "codegen/cuda/Chip.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp {

/// Returns a module with the machine of the file of a node of GPUs of the type
/// `chip`, which is one of cuda::chips().
mlir::OwningOpRef<mlir::ModuleOp> nodeOf(const cuda::Chip& chip,
                                         mlir::MLIRContext* context);

/// Returns the only machine of `file`, a module of nodeOf().
MachineOp machineOf(mlir::ModuleOp file);

/// Adds an sbp.machine to `module`: one node with `numRanks` GPUs of the type
/// `chip`, one per rank. `chip` is one of cuda::chips().
void addGpuMachine(mlir::ModuleOp module, const cuda::Chip& chip,
                   int64_t numRanks);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_GPUMACHINE_H_
