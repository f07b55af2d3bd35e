#include "passes/stages/StageTasks.h"

#include <optional>

#include "dialects/nn/Calls.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseSet.h"
#include "passes/stages/Stages.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

bool crosses(Operation* op) {
  auto box = llvm::dyn_cast<BoxOp>(op);
  return box && box.crosses();
}

/// Finds the tasks of the ops of one function body. Tasks are numbered in the
/// order in which the body calls them.
class TaskFinder {
 public:
  TaskFinder(mlir::Block& body, StagesOp stages,
             const mlir::SymbolTable& symbols)
      : body_(body), stages_(stages), symbols_(symbols) {}

  llvm::DenseMap<Operation*, StageTask> run() {
    for (Operation& op : body_.without_terminator()) {
      if (!isOfGroup(op)) continue;
      if (std::optional<StageTask> task = taskOfCall(op))
        number_[&op] = numberOf(*task);
      else if (std::optional<int64_t> latest = latestMaker(op))
        number_[&op] = *latest;
    }
    for (Operation& op : llvm::reverse(body_.without_terminator()))
      if (isOfGroup(op) && !number_.contains(&op))
        if (std::optional<int64_t> earliest = earliestUser(op))
          number_[&op] = *earliest;
    llvm::DenseMap<Operation*, StageTask> tasks;
    for (auto [op, number] : number_) tasks[op] = tasks_[number];
    return tasks;
  }

 private:
  /// Whether the results of `op`, or its operands if it has no results, are on
  /// the group of a stage.
  bool isOfGroup(Operation& op) {
    auto types =
        llvm::concat<const Type>(op.getResultTypes(), op.getOperandTypes());
    return types.begin() != types.end() &&
           llvm::is_contained(stages_.getGroups(),
                              NdSbpAttr::of(*types.begin()).getMesh());
  }

  std::optional<StageTask> taskOfCall(Operation& op) const {
    auto call = llvm::dyn_cast<mlir::CallOpInterface>(op);
    if (!call) return std::nullopt;
    auto callee = nn::calleeOf(call, symbols_);
    if (!callee) return std::nullopt;
    return taskOf(callee);
  }

  /// Returns the number of `task`. A new task gets the next number.
  int64_t numberOf(StageTask task) {
    const auto* known = llvm::find(tasks_, task);
    if (known == tasks_.end()) {
      tasks_.push_back(task);
      return static_cast<int64_t>(tasks_.size()) - 1;
    }
    return known - tasks_.begin();
  }

  /// Returns the number of the latest task that makes an operand of `op`.
  /// Returns nullopt if there is none, or if `op` moves a tensor to another
  /// group.
  std::optional<int64_t> latestMaker(Operation& op) const {
    if (crosses(&op)) return std::nullopt;
    std::optional<int64_t> latest;
    for (Value operand : op.getOperands())
      if (auto maker = number_.find(operand.getDefiningOp());
          maker != number_.end())
        latest = std::max(latest.value_or(0), maker->second);
    return latest;
  }

  /// Returns the number of the earliest task that uses a result of `op`;
  /// nullopt if there is none.
  std::optional<int64_t> earliestUser(Operation& op) const {
    std::optional<int64_t> earliest;
    for (Operation* user : op.getUsers())
      if (auto known = number_.find(user); known != number_.end())
        earliest = std::min(earliest.value_or(known->second), known->second);
    return earliest;
  }

  mlir::Block& body_;
  StagesOp stages_;
  const mlir::SymbolTable& symbols_;
  SmallVector<StageTask> tasks_;  // by number
  llvm::DenseMap<Operation*, int64_t> number_;
};

}  // namespace

StageTasks::StageTasks(ModuleOp module) {
  StagesOp stages = stagesOf(module);
  if (!stages) return;
  mlir::SymbolTable symbols(module);
  module.walk([&](nn::RepeatOp repeat) {
    mlir::Block& body = nn::calleeOf(repeat, symbols).getBody().front();
    for (auto [op, task] : TaskFinder(body, stages, symbols).run())
      tasks_[op] = task;
  });
}

std::optional<StageTask> taskOf(FuncOp function) {
  std::optional<int64_t> stage = stageOf(function);
  auto kind = function->getAttrOfType<TaskKindAttr>(kKindAttrName);
  if (!stage || !kind) return std::nullopt;
  return StageTask{*stage, kind.getValue()};
}

}  // namespace sbp
