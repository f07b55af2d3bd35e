// Training steps of a program for GPUs, on this CPU. Ranks are threads of this
// process, with the runtime's executor and collectives; each GPU thread of a
// kernel is a fibre.

#ifndef TEST_PROPERTIES_GPUSTEP_H_
#define TEST_PROPERTIES_GPUSTEP_H_

#include <cstdint>

#include "codegen/interpreter/Tensor.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "test/properties/CompiledStep.h"
#include "test/properties/TrainingStep.h"

namespace sbp::properties {

/// Runs a step as stepCompiled does, with kernels for GPUs, which must be
/// registered in the module's context (`cuda::registerNnKernels`). Also fails,
/// with a diagnostic, if a kernel does something invalid, such as an access out
/// of bounds.
FailureOr<TrainingStep> stepOnGpus(ModuleOp local,
                                   ArrayRef<interpreter::Tensor> arguments,
                                   uint64_t seed);

/// Runs steps as stepsCompiled does, with kernels for GPUs.
FailureOr<TrainingStep> stepsOnGpus(
    ModuleOp local, ArrayRef<SmallVector<interpreter::Tensor>> arguments,
    uint64_t seed);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_GPUSTEP_H_
