#include "codegen/plan/TaskList.h"

#include "codegen/plan/CollectiveTasks.h"
#include "codegen/plan/ElementTypes.h"
#include "dialects/nn/Calls.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "passes/module/CountOps.h"
#include "passes/stages/RepeatedTasks.h"

namespace sbp {
namespace {

using mlir::CallOpInterface;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

/// Walks through an entry and all functions that it calls.
class TaskLister {
 public:
  TaskLister(rank::ProgramOp program, const KernelTarget& target,
             const ParameterVersions& versions,
             const std::optional<PipelineOrder>& pipeline)
      : program_(program),
        symbols_(program),
        target_(target),
        versions_(versions),
        pipeline_(pipeline) {}

  FailureOr<TaskList> run(FuncOp entry) {
    if (failed(checkNumOps(entry, symbols_)) || failed(addParameters()))
      return failure();
    SmallVector<int64_t> inputs;
    for (Value argument : entry.getArguments()) {
      auto buffer = addBuffer(entry, argument, TaskBuffer::Kind::Input);
      if (failed(buffer)) return failure();
      inputs.push_back(*buffer);
    }
    auto outputs = walk(entry, inputs, Caller());
    if (failed(outputs)) return failure();
    if (list_.maxSkew > 0)
      list_.lateFinishes = std::move(unfinished_);
    else
      finishSends();
    for (std::vector<ListedTask>* tasks : {&list_.tasks, &list_.lateFinishes})
      for (ListedTask& task : *tasks) task.number = list_.nextNumber++;
    auto module = program_->getParentOfType<ModuleOp>();
    list_.isOfSeveralGroups = !module.getOps<rank::TransferOp>().empty();
    list_.outputs.assign(outputs->begin(), outputs->end());
    return std::move(list_);
  }

 private:
  /// The call that is being walked, with the buffers of its values.
  struct Frame {
    int64_t call = 0;         // an index into calls
    bool isRepeated = false;  // whether an nn.repeat calls it
    llvm::DenseMap<Value, int64_t> buffers;
  };

  /// The call from which a function is called.
  struct Caller {
    int64_t call = -1;
    Operation* op = nullptr;  // the call op; null for the entry
  };

  LogicalResult addParameters() {
    for (auto parameter : program_.getBody().getOps<nn::ParameterOp>())
      for (int64_t i = 0;
           i < std::max<int64_t>(versions_.lookup(parameter.getSymName()), 1);
           ++i) {
        auto buffer = addBuffer(parameter, parameter.getType(),
                                TaskBuffer::Kind::Parameter);
        if (failed(buffer)) return failure();
        list_.buffers.back().stepsAgo = i;
        buffersOf_[parameter].push_back(*buffer);
      }
    return success();
  }

  FailureOr<int64_t> addBuffer(Operation* op, Type type,
                               TaskBuffer::Kind kind) {
    auto tensor = llvm::cast<RankedTensorType>(type);
    FailureOr<int64_t> bytes = bytesInMemory(op, tensor);
    if (failed(bytes)) return failure();
    list_.buffers.push_back({kind, *bytes, tensor, Value()});
    return list_.buffers.size() - 1;
  }

  FailureOr<int64_t> addBuffer(Operation* op, Value value,
                               TaskBuffer::Kind kind) {
    FailureOr<int64_t> buffer = addBuffer(op, value.getType(), kind);
    if (succeeded(buffer)) list_.buffers.back().value = value;
    return buffer;
  }

  /// Lists the tasks of one call of `function`, and returns the buffers of its
  /// results.
  FailureOr<SmallVector<int64_t>> walk(FuncOp function,
                                       ArrayRef<int64_t> arguments,
                                       Caller caller) {
    if (!function.getBody().hasOneBlock())
      return function.emitOpError()
             << "has " << function.getBody().getBlocks().size()
             << " blocks; a function of a rank program has one";
    if (!open_.insert(function).second)
      return function.emitOpError() << "calls itself";
    Frame frame;
    frame.call = list_.calls.size();
    frame.isRepeated = llvm::isa_and_present<nn::RepeatOp>(caller.op);
    list_.calls.push_back({function, caller.call, caller.op});
    for (auto [argument, buffer] :
         llvm::zip(function.getArguments(), arguments))
      frame.buffers[argument] = buffer;

    SmallVector<int64_t> results;
    mlir::Block& body = function.getBody().front();
    for (auto op = body.begin(); op != body.end(); ++op) {
      if (frame.isRepeated) pipelineTask_ = repeated_->of(&*op);
      if (auto repeat = llvm::dyn_cast<nn::RepeatOp>(*op)) {
        PipesOfRank pipes(repeat, symbols_, pipeline_.has_value());
        if (failed(addLoops(pipes, frame))) return failure();
        op = pipes.last->getIterator();
      } else if (llvm::isa<ReturnOp>(*op)) {
        results = buffersOf(op->getOperands(), frame);
      } else if (failed(addOp(*op, frame))) {
        return failure();
      }
    }
    open_.erase(function);
    return results;
  }

  SmallVector<int64_t> buffersOf(ValueRange values, const Frame& frame) {
    return llvm::map_to_vector(
        values, [&](Value value) { return frame.buffers.lookup(value); });
  }

  LogicalResult addOp(Operation& op, Frame& frame) {
    if (auto repetition = llvm::dyn_cast<nn::RepetitionOp>(op))
      return addRepetition(repetition, frame);
    if (auto call = llvm::dyn_cast<CallOpInterface>(op))
      return addCall(call, buffersOf(op.getOperands(), frame), frame);
    if (auto get = llvm::dyn_cast<nn::GetOp>(op)) return addGet(get, frame);
    if (auto set = llvm::dyn_cast<nn::SetOp>(op)) return addSet(set, frame);
    if (auto reshape = llvm::dyn_cast<nn::ReshapeOp>(op)) {
      frame.buffers[reshape.getResult()] =
          frame.buffers.lookup(reshape.getInput());
      return success();
    }
    return addTask(op, frame);
  }

  LogicalResult addCall(CallOpInterface call, ArrayRef<int64_t> arguments,
                        Frame& frame) {
    auto callee = nn::calleeOf(call, symbols_);
    if (!callee)
      return call->emitOpError() << "calls " << nn::calleeOf(call)
                                 << ", which is no function of the program";
    auto results = walk(callee, arguments, {frame.call, call});
    if (failed(results)) return failure();
    for (auto [result, buffer] : llvm::zip(call->getResults(), *results))
      frame.buffers[result] = buffer;
    return success();
  }

  LogicalResult addLoops(const PipesOfRank& pipes, Frame& frame) {
    for (nn::RepeatOp pipe : pipes.alone)
      if (failed(addLoop(pipe, /*isScheduled=*/false, frame))) return failure();
    if (pipes.together.empty()) return success();
    return addLoop(pipes.together, /*isScheduled=*/true, frame);
  }

  /// Adds a loop for `repeats`: several pipes if the schedule orders them
  /// (`isScheduled`), or else one nn.repeat.
  LogicalResult addLoop(ArrayRef<nn::RepeatOp> repeats, bool isScheduled,
                        Frame& frame) {
    if (isInLoop_)
      return nn::RepeatOp(repeats.front()).emitOpError()
             << "stands in a repeated function, which cannot repeat others";
    ListedLoop loop;
    loop.times = static_cast<int64_t>(nn::RepeatOp(repeats.front()).getTimes());
    loop.first = loop.last = list_.tasks.size();
    iterationBuffer_ = -1;
    for (nn::RepeatOp repeat : repeats) {
      loop.pipes.push_back({RepeatedTasks(repeat, symbols_), loop.last});
      if (failed(addRepeat(loop.pipes.back().tasks, loop, frame)))
        return failure();
    }
    loop.iterationBuffer = iterationBuffer_;
    list_.loops.push_back(std::move(loop));
    if (isScheduled && pipeline_->isPeriodic()) return overlapSteps(repeats[0]);
    return success();
  }

  /// Notes that the last loop, that of `repeat`, runs for several steps at
  /// once.
  LogicalResult overlapSteps(nn::RepeatOp repeat) {
    if (list_.loops.size() > 1)
      return repeat.emitOpError() << "is run by a schedule without a flush, "
                                     "but stands after another "
                                     "loop; other loops must stand after it";
    list_.maxSkew = pipeline_->maxSkew();
    finishSends();
    return success();
  }

  /// Adds the tasks of one nn.repeat to `loop`.
  LogicalResult addRepeat(const RepeatedTasks& tasks, ListedLoop& loop,
                          Frame& frame) {
    nn::RepeatOp repeat = tasks.repeat();
    SmallVector<int64_t> arguments = buffersOf(repeat.getOperands(), frame);
    SmallVector<int64_t> carried;
    for (Value result : repeat.getResults()) {
      auto buffer = addBuffer(repeat, result, TaskBuffer::Kind::Temporary);
      if (failed(buffer)) return failure();
      carried.push_back(*buffer);
    }
    llvm::append_range(arguments, carried);
    llvm::append_range(loop.carried, carried);
    loop.carryingIterations.resize(
        loop.carried.size(),
        repeat.getOnly() ? repeat.numbers() : SmallVector<int64_t>());
    isInLoop_ = true;
    repeated_ = &tasks;
    std::vector<ListedTask> before = std::move(unfinished_);
    unfinished_.clear();
    LogicalResult isAdded = addCall(repeat, arguments, frame);
    isInLoop_ = false;
    repeated_ = nullptr;
    if (failed(isAdded)) return failure();
    finishSends();
    unfinished_ = std::move(before);
    pipelineTask_.reset();
    carry(buffersOf(repeat.getResults(), frame), carried, loop);
    for (auto [result, buffer] : llvm::zip(repeat.getResults(), carried))
      frame.buffers[result] = buffer;
    return success();
  }

  /// Adds copies to the end of the tasks of one nn.repeat, which begin at
  /// `loop.last`. They copy the results of an iteration, `nextValues`, to the
  /// buffers in which the next iteration finds them, `carried`.
  void carry(ArrayRef<int64_t> nextValues, ArrayRef<int64_t> carried,
             ListedLoop& loop) {
    llvm::append_range(loop.nextValues, nextValues);
    llvm::DenseSet<int64_t> written;
    for (const ListedTask& task : llvm::drop_begin(list_.tasks, loop.last))
      written.insert(task.outputs.begin(), task.outputs.end());
    // A value that is not made anew in each iteration may be overwritten by
    // another of these copies, so it is copied elsewhere first.
    SmallVector<int64_t> values(nextValues);
    for (int64_t& value : values)
      if (!written.contains(value)) {
        TaskBuffer buffer = list_.buffers[value];
        buffer.kind = TaskBuffer::Kind::Temporary;
        list_.buffers.push_back(buffer);
        addCopy(value, list_.buffers.size() - 1);
        value = list_.buffers.size() - 1;
      }
    for (auto [value, next] : llvm::zip(values, carried)) addCopy(value, next);
    loop.last = list_.tasks.size();
  }

  void addCopy(int64_t from, int64_t to) {
    ListedTask task;
    task.inputs = {from};
    task.outputs = {to};
    list_.tasks.push_back(std::move(task));
  }

  LogicalResult addRepetition(nn::RepetitionOp op, Frame& frame) {
    if (!isInLoop_)
      return op.emitOpError() << "stands outside of repeated functions";
    if (iterationBuffer_ < 0) {
      auto buffer = addBuffer(op, op.getResult(), TaskBuffer::Kind::Temporary);
      if (failed(buffer)) return failure();
      iterationBuffer_ = *buffer;
    }
    frame.buffers[op.getResult()] = iterationBuffer_;
    return success();
  }

  LogicalResult addGet(nn::GetOp get, Frame& frame) {
    Operation* parameter = symbols_.lookup(get.getName());
    if (auto set = setOf_.find(parameter); set != setOf_.end()) {
      mlir::InFlightDiagnostic diagnostic = get.emitOpError()
                                            << "reads " << get.getNameAttr()
                                            << " after it was set";
      diagnostic.attachNote(set->second->getLoc()) << "set here";
      return diagnostic;
    }
    frame.buffers[get.getResult()] = buffersOf_[parameter][get.getBefore()];
    return success();
  }

  LogicalResult addSet(nn::SetOp set, Frame& frame) {
    if (isInLoop_)
      return set.emitOpError()
             << "sets " << set.getNameAttr() << " in a repeated function";
    Operation* parameter = symbols_.lookup(set.getName());
    auto [earlier, isFirst] = setOf_.try_emplace(parameter, set);
    if (!isFirst) {
      mlir::InFlightDiagnostic diagnostic =
          set.emitOpError() << "sets " << set.getNameAttr()
                            << " a second time in one run of an entry";
      diagnostic.attachNote(earlier->second->getLoc()) << "set here first";
      return diagnostic;
    }
    list_.updates.push_back(
        {buffersOf_[parameter].back(), frame.buffers.lookup(set.getValue())});
    return success();
  }

  using EndKind = plan::TransferTask::Kind;

  int64_t addToken() {
    list_.buffers.push_back({});
    list_.buffers.back().type = RankedTensorType::get(
        {0}, mlir::Float32Type::get(program_.getContext()));
    return static_cast<int64_t>(list_.buffers.size()) - 1;
  }

  ListedTask endOf(Operation* op, EndKind kind, int64_t buffer,
                   const Frame& frame) {
    ListedTask task;
    task.op = op;
    task.call = frame.call;
    task.pipelineTask = pipelineTask_;
    task.end = {kind, buffer};
    return task;
  }

  void addSend(rank::SendOp send, const Frame& frame) {
    int64_t buffer = frame.buffers.lookup(send.getInput());
    int64_t token = addToken();
    ListedTask start = endOf(send, EndKind::kStartSend, buffer, frame);
    start.inputs = {buffer};
    start.outputs = {token};
    list_.tasks.push_back(std::move(start));
    ListedTask finish = endOf(send, EndKind::kFinishSend, buffer, frame);
    finish.inputs = {buffer, token};
    unfinished_.push_back(std::move(finish));
  }

  void finishSends() {
    for (ListedTask& finish : unfinished_)
      list_.tasks.push_back(std::move(finish));
    unfinished_.clear();
  }

  LogicalResult addReceive(rank::ReceiveOp receive, Frame& frame) {
    auto buffer =
        addBuffer(receive, receive.getResult(), TaskBuffer::Kind::Temporary);
    if (failed(buffer)) return failure();
    int64_t token = addToken();
    ListedTask start = endOf(receive, EndKind::kStartReceive, *buffer, frame);
    start.outputs = {token};
    list_.tasks.push_back(std::move(start));
    ListedTask finish = endOf(receive, EndKind::kFinishReceive, *buffer, frame);
    finish.inputs = {token};
    finish.outputs = {*buffer};
    list_.tasks.push_back(std::move(finish));
    frame.buffers[receive.getResult()] = *buffer;
    return success();
  }

  LogicalResult addTask(Operation& op, Frame& frame) {
    if (auto send = llvm::dyn_cast<rank::SendOp>(op)) {
      addSend(send, frame);
      return success();
    }
    if (auto receive = llvm::dyn_cast<rank::ReceiveOp>(op))
      return addReceive(receive, frame);
    ListedTask task;
    task.op = &op;
    task.call = frame.call;
    task.pipelineTask = pipelineTask_;
    if (rank::isMovement(&op)) {
      task.needs = collectiveNeedsOf(&op);
    } else {
      FailureOr<KernelNeeds> needs = needsOf(op);
      if (failed(needs)) return failure();
      task.needs = *needs;
    }
    task.inputs = buffersOf(op.getOperands(), frame);
    for (Value result : op.getResults()) {
      auto buffer = addBuffer(&op, result, TaskBuffer::Kind::Temporary);
      if (failed(buffer)) return failure();
      frame.buffers[result] = *buffer;
      task.outputs.push_back(*buffer);
    }
    list_.tasks.push_back(std::move(task));
    return success();
  }

  FailureOr<KernelNeeds> needsOf(Operation& op) {
    if (auto known = needsOf_.find(&op); known != needsOf_.end())
      return known->second;
    FailureOr<KernelNeeds> needs = target_.needsOf(&op);
    if (succeeded(needs)) needsOf_[&op] = *needs;
    return needs;
  }

  rank::ProgramOp program_;
  mlir::SymbolTable symbols_;
  const KernelTarget& target_;
  const ParameterVersions& versions_;
  const std::optional<PipelineOrder>& pipeline_;  // of the entry
  TaskList list_;
  /// Buffers of each parameter: that of its value, then that of its value one
  /// step ago, and so on.
  llvm::DenseMap<Operation*, SmallVector<int64_t, 1>> buffersOf_;
  llvm::DenseMap<Operation*, Operation*> setOf_;  // nn.set, by parameter
  llvm::DenseMap<Operation*, KernelNeeds> needsOf_;
  llvm::DenseSet<Operation*> open_;  // functions that are being walked
  // Of the loop whose function is being walked, if there is one:
  bool isInLoop_ = false;
  int64_t iterationBuffer_ = -1;  // the buffer of the iteration's index
  const RepeatedTasks* repeated_ = nullptr;
  std::optional<StageTask> pipelineTask_;  // of the op that is being added
  /// Tasks that finish the sends that the loop, or the entry, has started.
  std::vector<ListedTask> unfinished_;
};

}  // namespace

FailureOr<TaskList> listTasks(FuncOp entry, const KernelTarget& target,
                              const ParameterVersions& versions,
                              const std::optional<PipelineOrder>& pipeline) {
  auto program = llvm::dyn_cast<rank::ProgramOp>(entry->getParentOp());
  if (!program)
    return entry.emitOpError() << "stands outside of a rank.program";
  return TaskLister(program, target, versions, pipeline).run(entry);
}

ParameterVersions versionsOf(ModuleOp module) {
  ParameterVersions versions;
  module.walk([&](nn::GetOp get) {
    int64_t& known = versions[get.getName()];
    known = std::max(known, static_cast<int64_t>(get.getBefore()) + 1);
  });
  return versions;
}

int64_t numRunsOf(const ListedLoop& loop, int64_t block) {
  if (loop.blocks.empty()) return loop.times;
  return llvm::count_if(loop.order, [&](const plan::Loop::BlockRun& run) {
    return run.block == block;
  });
}

llvm::SmallSetVector<int64_t, 8> keptIn(const ListedLoop& loop,
                                        const TaskList& list) {
  llvm::SmallSetVector<int64_t, 8> kept(loop.carried.begin(),
                                        loop.carried.end());
  llvm::DenseSet<int64_t> written;
  for (int64_t index = loop.first; index < loop.last; ++index) {
    const ListedTask& task = list.tasks[index];
    for (int64_t input : task.inputs)
      if (!written.contains(input)) kept.insert(input);
    written.insert(task.outputs.begin(), task.outputs.end());
  }
  return kept;
}

FailureOr<int64_t> bytesInMemory(Operation* op, RankedTensorType type) {
  FailureOr<plan::ElementType> element = planElementType(op, type);
  if (failed(element)) return failure();
  return type.getNumElements() * plan::byteWidth(*element);
}

}  // namespace sbp
