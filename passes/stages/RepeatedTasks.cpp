#include "passes/stages/RepeatedTasks.h"

#include <algorithm>
#include <optional>
#include <set>

#include "dialects/nn/Calls.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/SetVector.h"
#include "passes/stages/StageTasks.h"
#include "passes/stages/Stages.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

/// Returns the functions of tasks that `body` calls, each once.
llvm::SmallSetVector<FuncOp, 8> tasksCalledIn(
    mlir::Block& body, const mlir::SymbolTable& symbols) {
  llvm::SmallSetVector<FuncOp, 8> functions;
  for (auto call : body.getOps<mlir::CallOpInterface>())
    if (auto callee = nn::calleeOf(call, symbols); callee && taskOf(callee))
      functions.insert(callee);
  return functions;
}

}  // namespace

RepeatedTasks::RepeatedTasks(nn::RepeatOp repeat,
                             const mlir::SymbolTable& symbols)
    : repeat_(repeat), function_(nn::calleeOf(repeat, symbols)) {
  mlir::Block& body = function_.getBody().front();
  for (FuncOp called : tasksCalledIn(body, symbols)) {
    const StageTask task = *taskOf(called);
    if (!llvm::is_contained(tasks_, task)) tasks_.push_back(task);
    auto stages = stagesOf(repeat->getParentOfType<ModuleOp>());
    if (!group_ && stages) group_ = groupOf(stages, called);
  }
  auto ops = body.without_terminator();
  auto find = [&](Operation* op) -> std::optional<int64_t> {
    auto known = numberOf_.find(op);
    if (known == numberOf_.end()) return std::nullopt;
    return known->second;
  };
  for (Operation& op : ops)
    if (auto task = op.getAttrOfType<TaskAttr>(rank::kTaskAttrName))
      if (const auto* known = llvm::find(tasks_, task.getTask());
          known != tasks_.end())
        numberOf_[&op] = known - tasks_.begin();
  for (Operation& op : llvm::reverse(ops)) {
    if (find(&op)) continue;
    std::optional<int64_t> first;
    for (Operation* user : op.getUsers())
      if (auto number = find(user))
        first = std::min(first.value_or(*number), *number);
    if (first) numberOf_[&op] = *first;
  }
  for (Operation& op : ops) {
    if (find(&op)) continue;
    int64_t last = 0;
    for (Value operand : op.getOperands())
      last = std::max(last, find(operand.getDefiningOp()).value_or(0));
    numberOf_[&op] = last;
  }
}

SmallVector<nn::RepeatOp> pipesFrom(nn::RepeatOp repeat) {
  SmallVector<nn::RepeatOp> pipes = {repeat};
  if (!repeat.getOnly()) return pipes;
  std::set<int64_t> numbers;
  auto isAnother = [&](nn::RepeatOp other) {
    return other && other.getOnly() && other.getTimes() == repeat.getTimes() &&
           llvm::none_of(other.numbers(),
                         [&](int64_t number) { return numbers.count(number); });
  };
  while (true) {
    for (int64_t number : pipes.back().numbers()) numbers.insert(number);
    auto next =
        llvm::dyn_cast_if_present<nn::RepeatOp>(pipes.back()->getNextNode());
    if (!isAnother(next)) return pipes;
    pipes.push_back(next);
  }
}

PipesOfRank::PipesOfRank(nn::RepeatOp repeat, const mlir::SymbolTable& symbols,
                         bool hasSchedule) {
  for (nn::RepeatOp pipe : pipesFrom(repeat)) {
    const bool hasTasks = hasSchedule && nn::calleeOf(pipe, symbols) &&
                          !RepeatedTasks(pipe, symbols).tasks().empty();
    (hasTasks ? together : alone).push_back(pipe);
    last = pipe;
  }
}

}  // namespace sbp
