#include "codegen/interpreter/PipelinedRepeat.h"

#include <map>
#include <set>

namespace sbp::interpreter {

PipelinedRepeat::PipelinedRepeat(nn::RepeatOp repeat,
                                 mlir::func::FuncOp function,
                                 const RepeatedTasks& tasks,
                                 const PipelineOrder& order,
                                 ArrayRef<Tensor> arguments, Evaluate evaluate)
    : repeat_(repeat),
      tasks_(tasks),
      order_(order),
      arguments_(arguments),
      evaluate_(evaluate),
      body_(function.getBody().front()),
      values_(repeat.getTimes()) {
  auto carried = body_.getArguments().take_back(repeat->getNumResults());
  for (Operation& op : body_.without_terminator())
    if (llvm::any_of(op.getOperands(), [&](Value operand) {
          return llvm::is_contained(carried, operand) ||
                 dependsOnCarried_.contains(operand.getDefiningOp());
        }))
      dependsOnCarried_.insert(&op);
}

FailureOr<Results> PipelinedRepeat::run() {
  if (failed(order_.checkTimes(repeat_, tasks_.names()))) return failure();
  struct Turns {
    std::set<int64_t> waiting;  // micro-batches
    int64_t next = 0;
  };
  std::map<StringRef, Turns> turns;
  for (const auto& [task, time, position] : order_.stepsOf(tasks_.names())) {
    if (failed(runTask(task, time, /*isCarried=*/false))) return failure();
    Turns& ofTask = turns[task];
    ofTask.waiting.insert(time);
    for (; ofTask.waiting.erase(ofTask.next); ++ofTask.next)
      if (failed(runTask(task, ofTask.next, /*isCarried=*/true)))
        return failure();
  }
  Results results;
  for (Value returned : body_.getTerminator()->getOperands())
    results.push_back(
        *find(returned, static_cast<int64_t>(values_.size()) - 1));
  return results;
}

LogicalResult PipelinedRepeat::runTask(StringRef task, int64_t time,
                                       bool isCarried) {
  for (Operation& op : body_.without_terminator()) {
    if (tasks_.of(&op) != task || dependsOnCarried_.contains(&op) != isCarried)
      continue;
    for (Value operand : op.getOperands()) {
      std::optional<Tensor> value = find(operand, time);
      if (!value) {
        mlir::InFlightDiagnostic diagnostic =
            op.emitOpError() << "is run by " << task << " for micro-batch "
                             << time << ", which has not made what it takes";
        diagnostic.attachNote(operand.getLoc()) << "that is this tensor";
        return diagnostic;
      }
      values_[time][operand] = *value;
    }
    if (failed(evaluate_(op, time, values_[time]))) return failure();
  }
  return success();
}

std::optional<Tensor> PipelinedRepeat::find(Value value, int64_t time) const {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    const unsigned index = argument.getArgNumber();
    const unsigned first = body_.getNumArguments() - repeat_->getNumResults();
    if (index < first || time == 0) return arguments_[index];
    return find(body_.getTerminator()->getOperand(index - first), time - 1);
  }
  auto known = values_[time].find(value);
  if (known == values_[time].end()) return std::nullopt;
  return known->second;
}

}  // namespace sbp::interpreter
