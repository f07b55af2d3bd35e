// Tells passes what memory CPU kernels work in.

#ifndef CODEGEN_CPU_KERNELMEMORY_H_
#define CODEGEN_CPU_KERNELMEMORY_H_

#include "codegen/cpu/Target.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp::cpu {

/// From now on passes in `context` can ask what the kernels for `target` need
/// (dialects/sbp/KernelMemory.h). Once per context.
void addKernelMemory(mlir::MLIRContext& context, const Target& target);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_KERNELMEMORY_H_
