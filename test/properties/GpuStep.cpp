#include "test/properties/GpuStep.h"

#include <memory>
#include <utility>

#include "codegen/cuda/Chip.h"
#include "codegen/cuda/DeviceKernels.h"
#include "codegen/cuda/testing/SimulatedProgram.h"
#include "codegen/fuse/FuseElementwise.h"
#include "codegen/plan/BuildPlan.h"

namespace sbp::properties {
namespace {

using interpreter::Tensor;

/// Compiles `local`. Returns the program, and the simulator of its kernels,
/// which the program owns. Fails with a diagnostic.
FailureOr<std::pair<CompiledProgram, cuda::SimulatedProgram*>> simulated(
    ModuleOp local) {
  cuda::DeviceKernels kernels(local.getContext());
  FailureOr<plan::Plan> plan = buildPlan(local, "random", kernels);
  if (failed(plan)) return failure();
  // Reads the plan as a program does, with all checks.
  absl::StatusOr<plan::Plan> read = plan::fromJson(plan::toJson(*plan));
  if (!read.ok())
    return local.emitError()
           << "the plan is rejected: " << read.status().ToString();
  // Compiles for the oldest chip, which has the fewest instructions.
  FailureOr<std::unique_ptr<cuda::SimulatedProgram>> code =
      cuda::SimulatedProgram::of(kernels, *read, cuda::chips().front());
  if (failed(code)) return failure();
  cuda::SimulatedProgram* program = code->get();
  return std::make_pair(
      CompiledProgram{std::move(*plan), std::move(*code), program->kernels()},
      program);
}

}  // namespace

FailureOr<TrainingStep> stepsOnGpus(ModuleOp local,
                                    ArrayRef<SmallVector<Tensor>> arguments,
                                    uint64_t seed) {
  mlir::OwningOpRef<ModuleOp> fused = local.clone();
  fuseElementwise(*fused);
  auto program = simulated(*fused);
  if (failed(program)) return failure();
  FailureOr<TrainingStep> step =
      stepsBy(program->first.plan, program->first, *fused, arguments, seed);
  if (absl::Status status = program->second->status(); !status.ok())
    return local.emitError() << status.ToString();
  return step;
}

FailureOr<TrainingStep> stepOnGpus(ModuleOp local, ArrayRef<Tensor> arguments,
                                   uint64_t seed) {
  return stepsOnGpus(local, SmallVector<Tensor>(arguments), seed);
}

}  // namespace sbp::properties
