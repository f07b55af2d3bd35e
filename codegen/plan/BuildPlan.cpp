#include "codegen/plan/BuildPlan.h"

#include <algorithm>

#include "codegen/plan/CollectiveTasks.h"
#include "codegen/plan/ElementTypes.h"
#include "codegen/plan/EntryMemory.h"
#include "codegen/plan/LayOutEntry.h"
#include "codegen/plan/MessageOrders.h"
#include "codegen/plan/PlanGroups.h"
#include "codegen/plan/PlanPlaces.h"
#include "codegen/plan/PlanTransfers.h"
#include "codegen/plan/PlanValues.h"
#include "codegen/plan/Signature.h"
#include "codegen/plan/TaskList.h"
#include "dialects/nn/Nn.h"
#include "dialects/nn/OptimizerStep.h"
#include "dialects/rank/GradientCopies.h"
#include "dialects/rank/Rank.h"
#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"
#include "passes/localize/WholeProgram.h"
#include "passes/stages/PipelineOrder.h"
#include "runtime/plan/Check.h"
#include "runtime/proof/Proof.h"

namespace sbp {
namespace {

using mlir::func::FuncOp;

SmallVector<FuncOp> entriesOf(rank::ProgramOp program) {
  return llvm::filter_to_vector(program.getBody().getOps<FuncOp>(),
                                [](FuncOp f) { return f.isPublic(); });
}

/// Returns the local types of `types`, repeated `count` times. Fails with a
/// diagnostic at `op` if plans do not have an element type.
FailureOr<std::vector<plan::LocalType>> localTypesOf(Operation* op,
                                                     TypeRange types,
                                                     int64_t count) {
  std::vector<plan::LocalType> result;
  for (Type type : types) {
    auto tensor = llvm::cast<RankedTensorType>(type);
    FailureOr<plan::ElementType> element = planElementType(op, tensor);
    if (failed(element)) return failure();
    result.push_back({*element, tensor.getShape().vec()});
  }
  for (int64_t i = types.size() * (count - 1); i > 0; --i)
    result.push_back(result[result.size() - types.size()]);
  return result;
}

/// The kernels of a plan, with the types of the ops that asked for them.
class Kernels {
 public:
  explicit Kernels(KernelProvider& provider) : provider_(provider) {}

  const KernelTarget& target() const { return provider_.target(); }

  /// Returns the kernel for `op`, as KernelProvider::kernelFor does, and
  /// describes it if it is new.
  FailureOr<int64_t> kernelFor(Operation* op, ArrayRef<int64_t> inPlace,
                               int64_t count) {
    FailureOr<int64_t> number = provider_.kernelFor(op, inPlace, count);
    if (failed(number)) return failure();
    if (*number < static_cast<int64_t>(kernels_.size())) return number;
    auto operands = localTypesOf(op, op->getOperandTypes(), count);
    auto results = localTypesOf(op, op->getResultTypes(), count);
    FailureOr<KernelNeeds> needs = target().needsOf(op);
    if (failed(operands) || failed(results) || failed(needs)) return failure();
    kernels_.push_back({/*name=*/"", op->getName().getStringRef().str(),
                        std::move(*operands), std::move(*results),
                        needs->scratchBytes});
    return number;
  }

  /// Returns the launch that adds up the squares of a gradient, as
  /// KernelProvider::squaresOf does.
  std::optional<plan::Launch> squaresOf(RankedTensorType gradient) {
    return provider_.squaresOf(gradient);
  }

  /// Moves all kernels out of this object.
  std::vector<plan::Kernel> take() {
    const std::vector<std::string> names = provider_.kernelNames();
    for (auto [number, kernel] : llvm::enumerate(kernels_)) {
      kernel.name = names[number];
      kernel.launches = provider_.launchesOf(static_cast<int64_t>(number));
    }
    return std::move(kernels_);
  }

 private:
  KernelProvider& provider_;
  std::vector<plan::Kernel> kernels_;
};

/// Returns the number of values of `parameter` that a rank keeps: its newest,
/// and earlier ones.
int64_t numVersionsOf(StringRef parameter, const ParameterVersions& versions) {
  return std::max<int64_t>(versions.lookup(parameter), 1);
}

/// The data that the programs of a plan share while they are built.
struct Shared {
  PlanGroups& groups;
  PlanPlaces& places;
  PlanTransfers& transfers;
  Kernels& kernels;
  const std::optional<PipelineOrder>& pipeline;
  ParameterVersions versions;
  std::vector<int64_t> maxSkews;  // by entry
  StepObserver observe;
};

/// Returns a list of length `count` with `values` at `positions`, and kAbsent
/// elsewhere.
std::vector<int64_t> spread(ArrayRef<int64_t> values,
                            ArrayRef<int64_t> positions, size_t count) {
  std::vector<int64_t> all(count, plan::kAbsent);
  for (auto [value, position] : llvm::zip(values, positions))
    all[position] = value;
  return all;
}

/// Builds the program of one entry: its tasks, on offsets into the arena.
class EntryBuilder {
 public:
  /// `number` is the entry's index in the plan, and `whole` its description
  /// over all ranks. `parameters` has the offsets of the program's own
  /// parameters, which take the first `persistentBytes` bytes of the arena.
  EntryBuilder(FuncOp entry, size_t number, const WholeEntry& whole,
               int64_t persistentBytes, ArrayRef<int64_t> parameters,
               Shared& shared)
      : entry_(entry),
        number_(number),
        whole_(whole),
        persistentBytes_(persistentBytes),
        parameters_(parameters),
        shared_(shared) {}

  FailureOr<plan::EntryProgram> run() {
    FailureOr<EntryMemory> memory =
        layOutEntry(entry_, shared_.kernels.target(), shared_.versions,
                    shared_.pipeline, shared_.observe);
    if (failed(memory)) return failure();
    memory_ = std::move(*memory);
    for (int64_t offset : memory_.layout.offsets)
      offsets_.push_back(persistentBytes_ + offset);
    llvm::copy(parameters_, offsets_.begin());

    const TaskList& list = memory_.list;
    if (failed(shared_.transfers.add(number_, list))) return failure();
    plan::EntryProgram result;
    result.arenaBytes = persistentBytes_ + memory_.layout.bytes;
    SmallVector<int64_t> inputs, outputs;
    for (size_t buffer = 0; buffer < list.buffers.size(); ++buffer)
      if (list.buffers[buffer].kind == TaskBuffer::Kind::Input)
        inputs.push_back(offsetOf(buffer));
    for (int64_t output : list.outputs) outputs.push_back(offsetOf(output));
    result.inputs =
        spread(inputs, argumentPositions(entry_), whole_.arguments.size());
    result.outputs =
        spread(outputs, resultPositions(entry_), whole_.results.size());
    for (auto [index, task] : llvm::enumerate(list.tasks)) {
      FailureOr<plan::Task> built = buildTask(task, index);
      if (failed(built)) return failure();
      result.tasks.push_back(std::move(*built));
      result.origins.push_back(originOf(task));
    }
    if (llvm::all_of(result.origins, [](int64_t origin) {
          return origin == plan::kUnknownOrigin;
        }))
      result.origins.clear();
    for (size_t index = 0; index < list.loops.size(); ++index) {
      result.loops.push_back(loopOf(index));
      if (failed(addMessages(list.loops[index], result.loops.back())))
        return failure();
    }
    result.firstUpdate = list.firstUpdate;
    addRotations(result);
    if (list.maxSkew > 0) {
      shared_.maxSkews[number_] = list.maxSkew;
      result.headStepOffset = list.stepOffset;
      result.firstLate = memory_.firstLate;
    }
    for (const ListedGradient& listed : list.gradients) {
      FailureOr<plan::Gradient> gradient = gradientOf(listed);
      if (failed(gradient)) return failure();
      result.gradients.push_back(std::move(*gradient));
    }
    for (const ListedCall& call : list.calls) {
      FuncOp function = call.function;
      result.calls.push_back(
          {function.getName().str(), call.caller,
           call.op ? shared_.places.originOf(call.op) : plan::kUnknownOrigin});
    }
    result.values = valuesOf(memory_, offsets_, result);
    result.values.inputs =
        spread(result.values.inputs, argumentPositions(entry_),
               whole_.arguments.size());
    for (std::vector<int64_t>* outputs :
         {&result.values.outputs, &result.values.earlyOutputs})
      *outputs =
          spread(*outputs, resultPositions(entry_), whole_.results.size());
    return result;
  }

 private:
  int64_t offsetOf(int64_t buffer) const {
    return offsets_[memory_.memoryOf[buffer]];
  }

  void addRotations(plan::EntryProgram& result) {
    auto program = llvm::cast<rank::ProgramOp>(entry_->getParentOp());
    auto first = parameters_.begin();
    for (auto parameter : program.getBody().getOps<nn::ParameterOp>()) {
      const int64_t count =
          numVersionsOf(parameter.getSymName(), shared_.versions);
      if (count > 1 && first[1] > *first)
        result.rotations.push_back({*first, first[1] - *first, count});
      first += count;
    }
    for (const RotatedMemory& rotated : memory_.rotated)
      result.rotations.push_back(
          {offsets_[rotated.buffer], rotated.bytes, rotated.count});
    llvm::sort(result.rotations,
               [](const plan::Rotation& a, const plan::Rotation& b) {
                 return a.buffer < b.buffer;
               });
  }

  plan::Loop loopOf(size_t index) const {
    const TaskList& list = memory_.list;
    const ListedLoop& listed = list.loops[index];
    plan::Loop loop = {listed.first, listed.last, listed.times, {}};
    for (int64_t buffer : listed.carried)
      loop.carried.push_back({offsetOf(buffer), list.buffers[buffer].bytes});
    if (listed.iterationBuffer >= 0)
      loop.microBatchBuffer = offsetOf(listed.iterationBuffer);
    int64_t next = listed.first;
    for (const auto& [block, listedBlock] : llvm::enumerate(listed.blocks)) {
      int64_t first = next;
      while (next < listed.last &&
             list.tasks[next].block == static_cast<int64_t>(block))
        ++next;
      loop.blocks.push_back(
          {listedBlock.text(), first, next, numRunsOf(listed, block),
           llvm::is_contained(listed.onceBlocks, block), listedBlock.title()});
    }
    loop.order = listed.order;
    for (const SlotsInMemory& placed : memory_.slots[index])
      loop.slots.push_back({offsets_[placed.liveRange], placed.bytes,
                            placed.slots.numSlots, placed.slots.users});
    return loop;
  }

  LogicalResult addMessages(const ListedLoop& listed, plan::Loop& loop) {
    if (!listed.messages) return mlir::success();
    auto group = shared_.groups.of(entry_, listed.messages->group);
    if (failed(group)) return failure();
    plan::CollectiveTask agreement;
    agreement.group = (*group)->number;
    for (size_t axis = 0; axis < (*group)->mesh.axes.size(); ++axis)
      agreement.axes.push_back(static_cast<int64_t>(axis));
    agreement.reduction = plan::ReductionKind::kMin;
    agreement.inShape =
        agreement.outShape = {static_cast<int64_t>(listed.blocks.size())};
    agreement.in = agreement.out = offsetOf(listed.messages->buffer);
    loop.messages = {listed.messages->urgencies, std::move(agreement)};
    return mlir::success();
  }

  FailureOr<plan::Gradient> gradientOf(const ListedGradient& listed) const {
    plan::Gradient gradient;
    const RankedTensorType type = memory_.list.buffers[listed.buffer].type;
    auto elementType = planElementType(listed.optimizer, type);
    if (failed(elementType)) return failure();
    gradient.elementType = *elementType;
    gradient.buffer = offsetOf(listed.buffer);
    gradient.numElements = type.getNumElements();
    gradient.squares = shared_.kernels.squaresOf(type);
    auto group =
        shared_.groups.of(listed.optimizer, rank::meshNameOf(listed.optimizer));
    if (failed(group)) return failure();
    gradient.group = (*group)->number;
    auto names = listed.optimizer->getAttrOfType<mlir::ArrayAttr>(
        rank::kGradientCopiesAttrName);
    if (!names) return gradient;
    const Mesh& mesh = (*group)->mesh;
    auto copies = rank::axesNamed(listed.optimizer, names, mesh);
    if (failed(copies)) return failure();
    gradient.copyAxes.assign(copies->begin(), copies->end());
    // Before the gradient is gathered over an axis, ranks along this axis have
    // parts of it, not copies.
    for (Operation* gather : listed.gathers) {
      auto gathered = rank::axesNamed(
          gather, llvm::cast<rank::AllGatherOp>(gather).getAxes(), mesh);
      if (failed(gathered)) return failure();
      llvm::erase_if(gradient.copyAxes, [&](int64_t axis) {
        return llvm::is_contained(*gathered, axis);
      });
    }
    return gradient;
  }

  /// Returns for each result of `task` the operand in whose memory it lies, or
  /// kOwnBuffer; empty if no result lies in an operand's memory.
  SmallVector<int64_t> resultsInPlace(const ListedTask& task) const {
    SmallVector<int64_t> inPlace(task.outputs.size(),
                                 KernelProvider::kOwnBuffer);
    bool isAny = false;
    for (auto [operand, result] : task.needs.inPlace)
      if (memory_.memoryOf[task.inputs[operand]] ==
          memory_.memoryOf[task.outputs[result]]) {
        inPlace[result] = operand;
        isAny = true;
      }
    return isAny ? inPlace : SmallVector<int64_t>();
  }

  /// Returns the origin of the ops that `task` runs; unknown for a copy.
  int64_t originOf(const ListedTask& task) {
    if (!task.op) return plan::kUnknownOrigin;
    SmallVector<Operation*> ops = {task.op};
    llvm::append_range(ops, task.others);
    return shared_.places.originOf(ops);
  }

  FailureOr<plan::Task> buildTask(const ListedTask& task, size_t index) {
    if (task.end)
      return plan::Task(plan::TransferTask{
          task.end->kind, shared_.transfers.numberOf(number_, task.op),
          offsetOf(task.end->buffer), task.call});
    if (task.op && !rank::isMovement(task.op)) {
      FailureOr<int64_t> number = shared_.kernels.kernelFor(
          task.op, resultsInPlace(task), task.numOps());
      if (failed(number)) return failure();
      plan::KernelTask kernel;
      kernel.kernel = *number;
      kernel.call = task.call;
      for (int64_t buffer : task.inputs)
        kernel.buffers.push_back(offsetOf(buffer));
      for (int64_t buffer : task.outputs)
        kernel.buffers.push_back(offsetOf(buffer));
      if (int64_t scratch = memory_.scratchOf[index]; scratch >= 0)
        kernel.buffers.push_back(offsets_[scratch]);
      return plan::Task(std::move(kernel));
    }
    auto collective =
        task.op ? collectiveTaskOf(task.op, shared_.groups)
                : copyTaskOf(entry_, memory_.list.buffers[task.inputs[0]].type);
    if (failed(collective)) return failure();
    collective->call = task.call;
    collective->bucket = task.bucket;
    if (!task.inputs.empty()) collective->in = offsetOf(task.inputs[0]);
    collective->out = offsetOf(task.outputs[0]);
    return plan::Task(std::move(*collective));
  }

  FuncOp entry_;
  size_t number_;
  const WholeEntry& whole_;
  int64_t persistentBytes_;
  ArrayRef<int64_t> parameters_;
  Shared& shared_;
  EntryMemory memory_;
  std::vector<int64_t> offsets_;  // bytes, by index of live ranges
};

FailureOr<plan::Program> buildProgram(rank::ProgramOp program,
                                      const WholeProgram& whole,
                                      Shared& shared) {
  plan::Program result;
  result.ranks = program.getRanks().vec();
  SmallVector<int64_t> own;  // offsets of parameters and of earlier values
  llvm::DenseMap<Attribute, int64_t> byName;  // index into `own`
  const auto add = [&](nn::ParameterOp parameter, int64_t steps) {
    auto known = byName.find(parameter.getSymNameAttr());
    result.parameters.push_back(
        known == byName.end() ? plan::kAbsent : own[known->second + steps]);
  };
  for (auto parameter : program.getBody().getOps<nn::ParameterOp>()) {
    auto bytes = bytesInMemory(
        parameter, llvm::cast<RankedTensorType>(parameter.getType()));
    if (failed(bytes)) return failure();
    byName[parameter.getSymNameAttr()] = own.size();
    for (int64_t steps = 0;
         steps < numVersionsOf(parameter.getSymName(), shared.versions);
         ++steps) {
      own.push_back(result.persistentBytes);
      result.persistentBytes += llvm::alignTo(*bytes, plan::kBufferAlignment);
    }
  }
  for (nn::ParameterOp parameter : whole.parameters) add(parameter, 0);
  for (nn::ParameterOp parameter : whole.parameters)
    for (int64_t steps = 1;
         steps < numVersionsOf(parameter.getSymName(), shared.versions);
         ++steps)
      add(parameter, steps);
  for (auto [number, entry] : llvm::enumerate(entriesOf(program))) {
    auto built = EntryBuilder(entry, number, whole.entries[number],
                              result.persistentBytes, own, shared)
                     .run();
    if (failed(built)) return failure();
    result.entries.push_back(std::move(*built));
  }
  return result;
}

/// Returns the value of parameter `number` of `plan` from `steps` steps ago, as
/// a parameter of its own.
plan::Parameter earlierValueOf(int64_t number, int64_t steps,
                               const plan::Plan& plan) {
  plan::Parameter earlier = plan.parameters[number];
  earlier.tensor.name += fmt::format("@-{}", steps);
  earlier.isState = true;
  earlier.earlier = {number, steps};
  return earlier;
}

/// Sets the parameters and entries of `plan` to those of `whole`. `versions`
/// has the number of values of each parameter.
LogicalResult setSignature(const WholeProgram& whole,
                           const ParameterVersions& versions,
                           PlanGroups& groups, plan::Plan& plan) {
  for (nn::ParameterOp op : whole.parameters) {
    auto parameter = wholeParameter(op, groups);
    if (failed(parameter)) return failure();
    plan.parameters.push_back(std::move(*parameter));
  }
  for (auto [number, op] : llvm::enumerate(whole.parameters))
    for (int64_t steps = 1;
         steps < numVersionsOf(nn::ParameterOp(op).getSymName(), versions);
         ++steps)
      plan.parameters.push_back(earlierValueOf(number, steps, plan));
  for (const WholeEntry& op : whole.entries) {
    auto entry = planEntry(op, groups);
    if (failed(entry)) return failure();
    plan.entries.push_back(std::move(*entry));
  }
  return success();
}

StringRef messageOf(const absl::Status& status) {
  absl::string_view message = status.message();
  return StringRef(message.data(), message.size());
}

}  // namespace

FailureOr<plan::Plan> buildPlan(ModuleOp module, StringRef model,
                                KernelProvider& provider,
                                StepObserver observe) {
  auto programs = llvm::to_vector(module.getOps<rank::ProgramOp>());
  if (programs.empty())
    return module.emitError() << "the module has no rank program to plan";
  rank::ProgramOp first = programs.front();
  PlanGroups groups;
  // The group of all ranks comes first.
  if (failed(groups.of(first, first.getMeshAttr()))) return failure();
  FailureOr<WholeProgram> whole = WholeProgram::of(module);
  if (failed(whole)) return failure();

  plan::Plan plan;
  plan.model = model.str();
  ParameterVersions versions = versionsOf(module);
  if (failed(setSignature(*whole, versions, groups, plan))) return failure();
  Kernels kernels(provider);
  PlanPlaces places;
  PlanTransfers transfers(groups);
  auto pipeline = PipelineOrder::fromModule(module);
  if (failed(pipeline)) return failure();
  Shared shared = {groups,
                   places,
                   transfers,
                   kernels,
                   *pipeline,
                   std::move(versions),
                   std::vector<int64_t>(plan.entries.size(), 0),
                   observe};
  for (rank::ProgramOp program : programs) {
    auto built = buildProgram(program, *whole, shared);
    if (failed(built)) return failure();
    plan.programs.push_back(std::move(*built));
  }
  for (auto [number, entry] : llvm::enumerate(plan.entries)) {
    entry.transfers = transfers.take(number);
    entry.maxSkew = shared.maxSkews[number];
  }
  plan.groups = groups.take();
  plan.places = places.take();
  plan.kernels = kernels.take();

  // Finds errors of a local program that was written by hand: a rank without a
  // program, ranks of one group whose collectives differ.
  if (absl::Status status = plan::check(plan); !status.ok())
    return module.emitError()
           << "the rank programs do not make a plan: " << messageOf(status);
  // Finds deadlocks and wrong values when all ranks run together. The programs
  // may cause them, or the order of tasks and the memory chosen here.
  if (absl::Status status = proof::prove(plan); !status.ok())
    return module.emitError()
           << "the programs of the ranks fail when they are run together: "
           << messageOf(status);
  if (plan.isForGpus()) chooseMessageOrders(plan);
  return plan;
}

}  // namespace sbp
