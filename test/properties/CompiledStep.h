// A training step of a compiled program: it runs kernels as machine code, on
// buffers of a plan, with one thread of this process per rank.

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

/// Returns the MLIR type for an element type of a plan.
Type elementTypeOf(plan::ElementType type, MLIRContext* context);

/// A plan with its kernels.
struct CompiledProgram {
  plan::Plan plan;
  std::shared_ptr<const void> code;  // owns the code of the kernels
  std::vector<SbpKernel> kernels;
};

/// Compiles `local`, a module in the local form, for the CPU of this machine.
/// Fails with a diagnostic.
FailureOr<CompiledProgram> compileForHost(ModuleOp local);

/// Whether `errors`, the text of diagnostics, says that the ranks of a program
/// would wait for each other for ever.
bool cannotEnd(const std::string& errors);

/// Runs one step per element of `arguments`, as stepsCompiled does, by `plan`:
/// the plan of `program`, which may have been edited.
FailureOr<TrainingStep> stepsBy(
    const plan::Plan& plan, const CompiledProgram& program, ModuleOp local,
    ArrayRef<SmallVector<interpreter::Tensor>> arguments, uint64_t seed);

/// Runs a step as stepOnRanks does, but by generated code and the runtime's
/// executor. Fuses element-wise ops first, as sbpc does. The kernels of nn must
/// be registered in the module's context (`cpu::registerNnKernels`). Also
/// fails, with a diagnostic, if copies of a value differ between ranks.
FailureOr<TrainingStep> stepCompiled(ModuleOp local,
                                     ArrayRef<interpreter::Tensor> arguments,
                                     uint64_t seed);

/// Runs a step as stepCompiled does, but does not fuse ops.
FailureOr<TrainingStep> stepInSingleKernels(
    ModuleOp local, ArrayRef<interpreter::Tensor> arguments, uint64_t seed);

/// Runs one step per element of `arguments`. Steps overlap if the program has
/// no flush. The result has the loss of the last step, and the parameters after
/// it: weights, the optimiser's state, and the older values of weights that the
/// plan keeps. If there are several steps, the parameters also have the loss of
/// each, as "loss of step 0" and so on.
FailureOr<TrainingStep> stepsCompiled(
    ModuleOp local, ArrayRef<SmallVector<interpreter::Tensor>> arguments,
    uint64_t seed);

/// Computes the loss as lossOnRanks does, but by generated code and the
/// runtime's executor.
FailureOr<interpreter::Tensor> lossCompiled(
    ModuleOp local, ArrayRef<interpreter::Tensor> arguments, uint64_t seed);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_COMPILEDSTEP_H_
