// The default machine for GPUs: some GPUs of one node, with the figures of
// machines/*_node.mlir.

#ifndef CODEGEN_DRIVER_GPUMACHINE_H_
#define CODEGEN_DRIVER_GPUMACHINE_H_

#include <cstdint>

#include "codegen/cuda/Chip.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Adds an sbp.machine to `module`: one node with `numRanks` GPUs of the type
/// `chip`, one per rank.
void addGpuMachine(mlir::ModuleOp module, const cuda::Chip& chip,
                   int64_t numRanks);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_GPUMACHINE_H_
