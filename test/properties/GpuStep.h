// Training steps of a program for GPUs on this CPU: its ranks are the threads
// of this process, with the runtime's executor and collectives, and its kernels
// are run a fibre for each of their threads.

#ifndef TEST_PROPERTIES_GPUSTEP_H_
#define TEST_PROPERTIES_GPUSTEP_H_

#include <cstdint>

#include "codegen/interpreter/Tensor.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "test/properties/CompiledStep.h"
#include "test/properties/TrainingStep.h"

namespace sbp::properties {

/// Does what stepCompiled does, with kernels for GPUs, which the module's
/// context knows (`cuda::registerNnKernels`). Fails with a diagnostic also
/// where a kernel does what it must not.
FailureOr<TrainingStep> stepOnGpus(ModuleOp local,
                                   ArrayRef<interpreter::Tensor> arguments,
                                   uint64_t seed);

/// Does what stepsCompiled does, likewise.
FailureOr<TrainingStep> stepsOnGpus(
    ModuleOp local, ArrayRef<SmallVector<interpreter::Tensor>> arguments,
    uint64_t seed);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_GPUSTEP_H_
