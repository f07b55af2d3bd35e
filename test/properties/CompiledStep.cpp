#include "test/properties/CompiledStep.h"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "codegen/cpu/KernelLibrary.h"
#include "codegen/cpu/LoadedKernels.h"
#include "codegen/cpu/Target.h"
#include "codegen/fuse/FuseElementwise.h"
#include "codegen/interpreter/Parameters.h"
#include "codegen/interpreter/Shards.h"
#include "codegen/interpreter/kernels/TensorMemory.h"
#include "codegen/plan/BuildPlan.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "runtime/communication/World.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/device/LocalTensor.h"
#include "runtime/execute/Executor.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/Plan.h"

namespace sbp::properties {

Type elementTypeOf(plan::ElementType type, MLIRContext* context) {
  mlir::Builder builder(context);
  switch (type) {
    case plan::ElementType::kF32:
      return builder.getF32Type();
    case plan::ElementType::kBF16:
      return builder.getBF16Type();
    case plan::ElementType::kI32:
      return builder.getI32Type();
    case plan::ElementType::kI64:
      return builder.getI64Type();
    case plan::ElementType::kI1:
      return builder.getI1Type();
  }
  llvm_unreachable("an element type is one of five");
}

namespace {

using interpreter::Tensor;

/// The bytes of a buffer of one rank.
using Bytes = std::vector<std::byte>;

// ---- From types of the plan to types of MLIR --------------------------------

Placement placementOf(const plan::Tensor& tensor) {
  Placement placement;
  for (const plan::Component& component : tensor.placement)
    switch (component.kind) {
      case plan::Component::Kind::kBroadcast:
        placement.push_back(Component::broadcast());
        break;
      case plan::Component::Kind::kSplit:
        placement.push_back(Component::split(component.dim));
        break;
      case plan::Component::Kind::kPartial:
        placement.push_back(
            Component::partial(static_cast<Reduction>(component.reduction)));
        break;
    }
  return placement;
}

// ---- Compiling --------------------------------------------------------------

}  // namespace

FailureOr<CompiledProgram> compileForHost(ModuleOp local) {
  auto emitError = [&] { return local.emitError(); };
  FailureOr<cpu::Target> target = cpu::lookUpTarget("host", emitError);
  if (failed(target)) return failure();
  cpu::KernelLibrary library(local.getContext(), *target);
  FailureOr<plan::Plan> built = buildPlan(local, "random", library);
  if (failed(built)) return failure();
  // Reads the plan as a program does, with all checks.
  absl::StatusOr<plan::Plan> read = plan::fromJson(plan::toJson(*built));
  if (!read.ok())
    return local.emitError()
           << "the plan is rejected: " << read.status().ToString();
  std::unique_ptr<cpu::LoadedKernels> code =
      cpu::LoadedKernels::compile(library.module(), *target);
  if (!code) return failure();
  CompiledProgram result;
  for (const plan::Kernel& kernel : built->kernels)
    result.kernels.push_back((*code)[kernel.name].address());
  result.plan = std::move(*built);
  result.code = std::move(code);
  return result;
}

namespace {

/// Seconds after which a rank that waits fails. No rank of a test computes for
/// so long.
constexpr double kWaitSeconds = 30;

// ---- Running ----------------------------------------------------------------

/// A run of one entry of a compiled program on all ranks.
class Grid {
 public:
  Grid(const plan::Plan& plan, const CompiledProgram& compiled, ModuleOp local,
       StringRef name)
      : compiled_(compiled), plan_(plan), local_(local) {
    while (entry().name != name) ++entryIndex_;
  }

  const plan::Entry& entry() const { return plan_.entries[entryIndex_]; }

  /// Sets the initial value of a parameter, or the value of an input in `step`,
  /// to `whole`, which it splits into the parts of the ranks.
  void give(const plan::Tensor& tensor, const Tensor& whole, int64_t step = 0) {
    given_[{&tensor, step}] =
        interpreter::cut(whole, placementOf(tensor), meshOf(tensor),
                         interpreter::CountedRandom(0, tensor.name));
  }

  /// Runs the entry for `numSteps` steps.
  LogicalResult run(int64_t numSteps) {
    numSteps_ = numSteps;
    communication::WorldOptions options;
    options.groups = plan_.groups;
    options.transfers = entry().transfers;
    for (plan::Transfer& transfer : options.transfers)
      transfer.times *= plan::stepsAtOnce(plan_, entryIndex_);
    options.arenaBytes = execute::arenaBytes(plan_, entryIndex_);
    options.waitTimeoutSeconds = kWaitSeconds;
    absl::Status status = communication::runInProcess(
        options, [&](communication::Communicator& communicator) {
          return runRank(communicator);
        });
    if (status.ok()) return success();
    return local_.emitError() << "the ranks fail: " << status.ToString();
  }

  /// Returns the whole tensor of a parameter after the last step, or of an
  /// output in `step`.
  FailureOr<Tensor> whole(const plan::Tensor& tensor, int64_t step = 0) {
    Type element = elementTypeOf(tensor.elementType, local_.getContext());
    std::vector<Tensor> locals;
    const plan::Group& group = plan_.groupOf(tensor);
    for (int64_t place = 0; place < group.size(); ++place) {
      int64_t rank = group.rankAt(place);
      auto shape = plan::shapeOf(plan::localBox(group, tensor, rank));
      locals.push_back(
          interpreter::loadTensor(RankedTensorType::get(shape, element),
                                  taken_[{&tensor, step}][rank].data()));
    }
    auto type = RankedTensorType::get(tensor.shape, element);
    return interpreter::assembled(
        locals, type, placementOf(tensor), meshOf(tensor),
        [&] { return local_.emitError() << tensor.name << ": "; });
  }

 private:
  Mesh meshOf(const plan::Tensor& tensor) const {
    const plan::Group& group = plan_.groupOf(tensor);
    Mesh mesh;
    for (const plan::Axis& axis : group.axes)
      mesh.axes.push_back({axis.name, axis.size});
    mesh.ranks.assign(group.ranks.begin(), group.ranks.end());
    return mesh;
  }

  /// Writes the part of `tensor` on `rank`, if there is one, to `part`.
  absl::Status store(const plan::Tensor& tensor, int64_t rank,
                     const device::LocalTensor& part, int64_t step = 0) {
    int64_t place = plan_.groupOf(tensor).positionOf(rank);
    if (place < 0) return absl::OkStatus();
    return part.write([&](std::byte* elements) {
      interpreter::storeTensor(given_.at({&tensor, step})[place], elements);
      return absl::OkStatus();
    });
  }

  absl::Status runRank(communication::Communicator& communicator) {
    int64_t rank = communicator.rank();
    device::CpuDevice device(communicator.arena(), compiled_.kernels.data());
    absl::StatusOr<execute::Executor> executor = execute::Executor::prepare(
        plan_, entryIndex_, {communicator, communicator, device});
    if (!executor.ok()) return executor.status();
    absl::Status status;
    for (size_t i = 0; i < plan_.parameters.size(); ++i)
      status.Update(
          store(plan_.parameters[i].tensor, rank, executor->parameters()[i]));
    executor->setSteps(0, numSteps_);
    for (int64_t iteration = executor->firstIteration();
         iteration < executor->endIteration(); ++iteration) {
      executor->setIteration(iteration);
      if (const int64_t step = executor->inputStep(); executor->isOfRun(step))
        for (size_t i = 0; i < entry().inputs.size(); ++i)
          status.Update(
              store(entry().inputs[i], rank, executor->inputs()[i], step));
      status.Update(executor->run(neverStopped_));
      if (!status.ok()) return status;
      if (!executor->isOfRun(iteration)) continue;
      for (size_t i = 0; i < entry().outputs.size(); ++i)
        status.Update(
            take(entry().outputs[i], rank, executor->outputs()[i], iteration));
    }
    executor->setIteration(numSteps_);
    for (size_t i = 0; i < plan_.parameters.size(); ++i)
      status.Update(
          take(plan_.parameters[i].tensor, rank, executor->parameters()[i]));
    return status;
  }

  absl::Status take(const plan::Tensor& tensor, int64_t rank,
                    const device::LocalTensor& part, int64_t step = 0) {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Bytes>& ofRanks = taken_[{&tensor, step}];
    ofRanks.resize(plan_.numRanks());
    if (!part.isHere()) return absl::OkStatus();
    return part.read([&](const std::byte* elements) {
      ofRanks[rank].assign(elements, elements + part.bytes());
      return absl::OkStatus();
    });
  }

  const CompiledProgram& compiled_;
  const plan::Plan& plan_;
  ModuleOp local_;
  size_t entryIndex_ = 0;
  const std::atomic<bool> neverStopped_{false};
  int64_t numSteps_ = 1;
  using OfStep = std::pair<const plan::Tensor*, int64_t>;
  std::map<OfStep, std::vector<Tensor>> given_;
  std::mutex mutex_;  // guards the members that ranks write:
  std::map<OfStep, std::vector<Bytes>> taken_;
};

/// Returns the initial values of all parameters of `local`, as whole tensors.
interpreter::Parameters firstValues(ModuleOp local, uint64_t seed) {
  interpreter::Parameters values;
  local.walk([&](nn::ParameterOp parameter) {
    auto whole = parameter->getAttrOfType<mlir::TypeAttr>(rank::kWholeAttrName);
    values[parameter.getSymName().str()] = interpreter::initialValue(
        parameter,
        withPlacement(llvm::cast<RankedTensorType>(whole.getValue()), nullptr),
        seed);
  });
  return values;
}

/// Runs the entry `name` for one step per element of `arguments`. Returns its
/// first output in each step, and the parameters after the last step.
FailureOr<TrainingStep> run(StringRef name, const plan::Plan& plan,
                            const CompiledProgram& program, ModuleOp local,
                            ArrayRef<SmallVector<Tensor>> arguments,
                            uint64_t seed) {
  Grid grid(plan, program, local, name);
  interpreter::Parameters values = firstValues(local, seed);
  const std::vector<plan::Parameter>& parameters = plan.parameters;
  for (const plan::Parameter& parameter : parameters)
    grid.give(
        parameter.tensor,
        values.at(parameter.earlier
                      ? parameters[parameter.earlier->parameter].tensor.name
                      : parameter.tensor.name));
  for (auto [step, ofStep] : llvm::enumerate(arguments))
    for (auto [input, argument] : llvm::zip(grid.entry().inputs, ofStep))
      grid.give(input, argument, static_cast<int64_t>(step));
  const auto numSteps = static_cast<int64_t>(arguments.size());
  if (failed(grid.run(numSteps))) return failure();

  TrainingStep result;
  const plan::Tensor& loss = grid.entry().outputs.front();
  for (int64_t step = 0; step < numSteps; ++step) {
    FailureOr<Tensor> ofStep = grid.whole(loss, step);
    if (failed(ofStep)) return failure();
    if (numSteps > 1)
      result.parameters[("loss of step " + llvm::Twine(step)).str()] = *ofStep;
    result.loss = *ofStep;
  }
  for (const plan::Parameter& parameter : parameters) {
    FailureOr<Tensor> value = grid.whole(parameter.tensor);
    if (failed(value)) return failure();
    result.parameters[parameter.tensor.name] = *value;
  }
  return result;
}

FailureOr<TrainingStep> run(StringRef name, ModuleOp local,
                            ArrayRef<SmallVector<Tensor>> arguments,
                            uint64_t seed) {
  mlir::OwningOpRef<ModuleOp> fused = local.clone();
  fuseElementwise(*fused);
  FailureOr<CompiledProgram> program = compileForHost(*fused);
  if (failed(program)) return failure();
  return run(name, program->plan, *program, *fused, arguments, seed);
}

}  // namespace

bool cannotEnd(const std::string& errors) {
  return errors.find("ranks wait for one another") != std::string::npos;
}

FailureOr<TrainingStep> stepsBy(const plan::Plan& plan,
                                const CompiledProgram& program, ModuleOp local,
                                ArrayRef<SmallVector<Tensor>> arguments,
                                uint64_t seed) {
  return run("train_step", plan, program, local, arguments, seed);
}

FailureOr<TrainingStep> stepCompiled(ModuleOp local, ArrayRef<Tensor> arguments,
                                     uint64_t seed) {
  return run("train_step", local, SmallVector<Tensor>(arguments), seed);
}

FailureOr<TrainingStep> stepInSingleKernels(ModuleOp local,
                                            ArrayRef<Tensor> arguments,
                                            uint64_t seed) {
  FailureOr<CompiledProgram> program = compileForHost(local);
  if (failed(program)) return failure();
  return run("train_step", program->plan, *program, local,
             SmallVector<Tensor>(arguments), seed);
}

FailureOr<TrainingStep> stepsCompiled(ModuleOp local,
                                      ArrayRef<SmallVector<Tensor>> arguments,
                                      uint64_t seed) {
  return run("train_step", local, arguments, seed);
}

FailureOr<Tensor> lossCompiled(ModuleOp local, ArrayRef<Tensor> arguments,
                               uint64_t seed) {
  FailureOr<TrainingStep> step =
      run("loss", local, SmallVector<Tensor>(arguments), seed);
  if (failed(step)) return failure();
  return step->loss;
}

}  // namespace sbp::properties
