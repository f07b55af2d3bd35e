// A training step of a compiled program: its kernels as machine code, its
// buffers planned, its ranks the threads of this process.

#ifndef TEST_PROPERTIES_COMPILEDSTEP_H_
#define TEST_PROPERTIES_COMPILEDSTEP_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codegen/interpreter/Tensor.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "runtime/Abi.h"
#include "runtime/plan/Plan.h"
#include "test/properties/TrainingStep.h"

namespace sbp::properties {

/// The dialect's word for one of the plan's.
Type elementTypeOf(plan::ElementType type, MLIRContext* context);

/// A program of ranks, with what the compiler knows of its plan.
struct CompiledProgram {
  plan::Plan plan;
  std::shared_ptr<const void> code;  // what the kernels are part of
  std::vector<SbpKernel> kernels;
};

/// The program of `local`. Fails with a diagnostic.
FailureOr<CompiledProgram> compiled(ModuleOp local);

/// Whether a program was refused, with this diagnostic, since its ranks would
/// wait for one another.
bool cannotEnd(const std::string& said);

/// Runs `plan`, that of `program` or one like it, for a step for each of
/// `arguments`, as stepsCompiled does.
FailureOr<TrainingStep> stepsBy(
    const plan::Plan& plan, const CompiledProgram& program, ModuleOp local,
    ArrayRef<SmallVector<interpreter::Tensor>> arguments, uint64_t seed);

/// Does what stepOnRanks does, by generated code and the runtime's executor.
/// The module's context knows the kernels of nn (`cpu::registerNnKernels`).
/// Fails with a diagnostic also where copies of one value differ between ranks.
FailureOr<TrainingStep> stepCompiled(ModuleOp local,
                                     ArrayRef<interpreter::Tensor> arguments,
                                     uint64_t seed);

/// Does a step for each of `arguments`, one after the other or, if the
/// program's overlap, together. The parameters are those in the end; with them
/// are the losses of all steps. Not the optimiser's state alone: also what
/// parameters were some steps before.
FailureOr<TrainingStep> stepsCompiled(
    ModuleOp local, ArrayRef<SmallVector<interpreter::Tensor>> arguments,
    uint64_t seed);

/// Does what lossOnRanks does, in the same way.
FailureOr<interpreter::Tensor> lossCompiled(
    ModuleOp local, ArrayRef<interpreter::Tensor> arguments, uint64_t seed);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_COMPILEDSTEP_H_
