// Brings a model to the boxed form, in which its plan can be explained.

#ifndef CODEGEN_DRIVER_BRINGTOBOXED_H_
#define CODEGEN_DRIVER_BRINGTOBOXED_H_

#include "codegen/plan/KernelTarget.h"
#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/Pipelines.h"

namespace sbp {

/// Brings `module`, in a form up to the boxed one, to the boxed form as sbpc
/// does: a model that is not placed gets a plan that fits into the memory of a
/// device, or into that of `pipeline`, with buffers for the kernels of
/// `kernels` (FitMemory.h). Returns a device of the target, with this limit of
/// memory. May replace `module`; a failure, after a diagnostic, may leave it
/// null.
FailureOr<Device> bringToBoxed(mlir::OwningOpRef<ModuleOp>& module,
                               const PipelineOptions& pipeline,
                               const KernelTarget& kernels);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_BRINGTOBOXED_H_
