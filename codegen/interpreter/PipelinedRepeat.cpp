#include "codegen/interpreter/PipelinedRepeat.h"

#include <vector>

namespace sbp::interpreter {

PipelinedRepeat::PipelinedRepeat(const RepeatedTasks& tasks,
                                 SmallVector<Tensor> arguments,
                                 Evaluate evaluate)
    : tasks_(tasks),
      arguments_(std::move(arguments)),
      evaluate_(evaluate),
      body_(tasks.function().getBody().front()),
      numCarried_(tasks.repeat()->getNumResults()),
      microBatches_(tasks.rankTasks().microBatches) {
  auto carried = body_.getArguments().take_back(numCarried_);
  for (Operation& op : body_.without_terminator())
    if (llvm::any_of(op.getOperands(), [&](Value operand) {
          return llvm::is_contained(carried, operand) ||
                 carriedOps_.contains(operand.getDefiningOp());
        }))
      carriedOps_.insert(&op);
}

LogicalResult PipelinedRepeat::run(StageTask task, int64_t microBatch) {
  if (failed(runOps(task, microBatch, /*isCarried=*/false))) return failure();
  CarriedProgress& progress = carriedProgress_[task];
  progress.waiting.insert(microBatch);
  while (progress.next < microBatches_.size() &&
         progress.waiting.erase(microBatches_[progress.next]) > 0)
    if (failed(
            runOps(task, microBatches_[progress.next++], /*isCarried=*/true)))
      return failure();
  return success();
}

Results PipelinedRepeat::results() const {
  Results results;
  for (Value returned : body_.getTerminator()->getOperands())
    results.push_back(*find(returned, microBatches_.back()));
  return results;
}

LogicalResult PipelinedRepeat::runOps(StageTask task, int64_t microBatch,
                                      bool isCarried) {
  for (Operation& op : body_.without_terminator()) {
    if (tasks_.of(&op) != task || carriedOps_.contains(&op) != isCarried)
      continue;
    for (Value operand : op.getOperands()) {
      std::optional<Tensor> value = find(operand, microBatch);
      if (!value) {
        mlir::InFlightDiagnostic diagnostic =
            op.emitOpError()
            << "is run by " << task.text() << " for micro-batch " << microBatch
            << " before its operand has been made";
        diagnostic.attachNote(operand.getLoc()) << "this is the operand";
        return diagnostic;
      }
      values_[microBatch][operand] = *value;
    }
    if (failed(evaluate_(op, microBatch, values_[microBatch])))
      return failure();
  }
  return success();
}

std::optional<Tensor> PipelinedRepeat::find(Value value,
                                            int64_t microBatch) const {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    const unsigned index = argument.getArgNumber();
    const unsigned first = body_.getNumArguments() - numCarried_;
    if (index < first || microBatch == microBatches_.front())
      return arguments_[index];
    const auto* before = std::prev(llvm::find(microBatches_, microBatch));
    return find(body_.getTerminator()->getOperand(index - first), *before);
  }
  auto values = values_.find(microBatch);
  if (values == values_.end()) return std::nullopt;
  auto known = values->second.find(value);
  if (known == values->second.end()) return std::nullopt;
  return known->second;
}

LogicalResult runPipes(llvm::MutableArrayRef<PipelinedRepeat> pipes,
                       ArrayRef<RepeatedTasks> tasks,
                       const PipelineOrder& order) {
  std::vector<PipelineOrder::RankTasks> shares;
  for (const RepeatedTasks& ofPipe : tasks) {
    if (failed(order.checkCounts(ofPipe.repeat(), ofPipe.tasks())))
      return failure();
    shares.push_back(ofPipe.rankTasks());
  }
  for (const PipelineOrder::RankTaskRun& run : order.taskRunsOf(shares))
    if (failed(pipes[run.pipe].run(run.task, run.microBatch))) return failure();
  return success();
}

}  // namespace sbp::interpreter
