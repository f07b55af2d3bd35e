#include "codegen/plan/TaskList.h"

#include "codegen/plan/CollectiveTasks.h"
#include "codegen/plan/CountOps.h"
#include "codegen/plan/ElementTypes.h"
#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace sbp {
namespace {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

/// Walks through an entry and all that it calls.
class TaskLister {
 public:
  TaskLister(rank::ProgramOp program, KernelProvider& kernels)
      : program_(program), symbols_(program), kernels_(kernels) {}

  FailureOr<TaskList> run(FuncOp entry) {
    if (failed(checkNumOps(entry, symbols_))) return failure();
    for (auto parameter : program_.getBody().getOps<nn::ParameterOp>()) {
      auto buffer = addBuffer(parameter, parameter.getType(),
                              TaskBuffer::Kind::Parameter);
      if (failed(buffer)) return failure();
      bufferOf_[parameter] = *buffer;
    }
    SmallVector<int64_t> inputs;
    for (Type type : entry.getArgumentTypes()) {
      auto buffer = addBuffer(entry, type, TaskBuffer::Kind::Input);
      if (failed(buffer)) return failure();
      inputs.push_back(*buffer);
    }
    auto outputs = walk(entry, inputs, /*caller=*/-1);
    if (failed(outputs)) return failure();
    list_.outputs.assign(outputs->begin(), outputs->end());
    return std::move(list_);
  }

 private:
  /// One call: the buffers of its values.
  struct Frame {
    int64_t call = 0;  // an index of calls
    llvm::DenseMap<Value, int64_t> buffers;
  };

  FailureOr<int64_t> addBuffer(Operation* op, Type type,
                               TaskBuffer::Kind kind) {
    auto tensor = llvm::cast<RankedTensorType>(type);
    FailureOr<int64_t> bytes = bytesInMemory(op, tensor);
    if (failed(bytes)) return failure();
    list_.buffers.push_back({kind, *bytes, tensor});
    return list_.buffers.size() - 1;
  }

  /// Lists the tasks of one call of `function`; returns the buffers of its
  /// results.
  FailureOr<SmallVector<int64_t>> walk(FuncOp function,
                                       ArrayRef<int64_t> arguments,
                                       int64_t caller) {
    if (!function.getBody().hasOneBlock())
      return function.emitOpError()
             << "has " << function.getBody().getBlocks().size()
             << " blocks; a function of a rank program has one";
    if (!open_.insert(function).second)
      return function.emitOpError() << "calls itself";
    Frame frame;
    frame.call = list_.calls.size();
    list_.calls.push_back({function, caller});
    for (auto [argument, buffer] :
         llvm::zip(function.getArguments(), arguments))
      frame.buffers[argument] = buffer;

    SmallVector<int64_t> results;
    for (Operation& op : function.getBody().front()) {
      if (llvm::isa<ReturnOp>(op))
        results = buffersOf(op.getOperands(), frame);
      else if (failed(addOp(op, frame)))
        return failure();
    }
    open_.erase(function);
    return results;
  }

  SmallVector<int64_t> buffersOf(ValueRange values, const Frame& frame) {
    return llvm::map_to_vector(
        values, [&](Value value) { return frame.buffers.lookup(value); });
  }

  LogicalResult addOp(Operation& op, Frame& frame) {
    if (auto call = llvm::dyn_cast<CallOp>(op)) return addCall(call, frame);
    if (auto get = llvm::dyn_cast<nn::GetOp>(op)) return addGet(get, frame);
    if (auto set = llvm::dyn_cast<nn::SetOp>(op)) return addSet(set, frame);
    if (auto reshape = llvm::dyn_cast<nn::ReshapeOp>(op)) {
      frame.buffers[reshape.getResult()] =
          frame.buffers.lookup(reshape.getInput());
      return success();
    }
    return addTask(op, frame);
  }

  LogicalResult addCall(CallOp call, Frame& frame) {
    auto callee = symbols_.lookup<FuncOp>(call.getCallee());
    if (!callee)
      return call.emitOpError() << "calls " << call.getCalleeAttr()
                                << ", which is no function of the program";
    auto results =
        walk(callee, buffersOf(call.getOperands(), frame), frame.call);
    if (failed(results)) return failure();
    for (auto [result, buffer] : llvm::zip(call.getResults(), *results))
      frame.buffers[result] = buffer;
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
    frame.buffers[get.getResult()] = bufferOf_.lookup(parameter);
    return success();
  }

  LogicalResult addSet(nn::SetOp set, Frame& frame) {
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
        {bufferOf_.lookup(parameter), frame.buffers.lookup(set.getValue())});
    return success();
  }

  LogicalResult addTask(Operation& op, Frame& frame) {
    ListedTask task;
    task.op = &op;
    task.call = frame.call;
    if (llvm::isa_and_present<rank::RankDialect>(op.getDialect())) {
      task.needs = collectiveNeedsOf(&op);
    } else {
      FailureOr<KernelNeeds> needs = needsOf(op);
      if (failed(needs)) return failure();
      task.needs = *needs;
    }
    task.inputs = buffersOf(op.getOperands(), frame);
    for (Value result : op.getResults()) {
      auto buffer =
          addBuffer(&op, result.getType(), TaskBuffer::Kind::Temporary);
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
    FailureOr<KernelNeeds> needs = kernels_.needsOf(&op);
    if (succeeded(needs)) needsOf_[&op] = *needs;
    return needs;
  }

  rank::ProgramOp program_;
  mlir::SymbolTable symbols_;
  KernelProvider& kernels_;
  TaskList list_;
  llvm::DenseMap<Operation*, int64_t> bufferOf_;  // by parameter
  llvm::DenseMap<Operation*, Operation*> setOf_;  // by parameter
  llvm::DenseMap<Operation*, KernelNeeds> needsOf_;
  llvm::DenseSet<Operation*> open_;  // functions whose call is being walked
};

}  // namespace

FailureOr<TaskList> listTasks(FuncOp entry, KernelProvider& kernels) {
  auto program = llvm::dyn_cast<rank::ProgramOp>(entry->getParentOp());
  if (!program)
    return entry.emitOpError() << "stands outside of a rank.program";
  return TaskLister(program, kernels).run(entry);
}

FailureOr<int64_t> bytesInMemory(Operation* op, RankedTensorType type) {
  FailureOr<plan::ElementType> element = planElementType(op, type);
  if (failed(element)) return failure();
  return type.getNumElements() * plan::byteWidth(*element);
}

}  // namespace sbp
