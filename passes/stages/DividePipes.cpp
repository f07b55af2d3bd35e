#include "passes/stages/DividePipes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "dialects/nn/Calls.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/names/Names.h"
#include "passes/schedule/Pipes.h"
#include "passes/stages/Schedule.h"
#include "passes/stages/StageTasks.h"
#include "passes/stages/Stages.h"

namespace sbp {
namespace {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using schedule::Pipe;

/// Divides the nn.repeat ops of a module into pipes.
class Divider {
 public:
  Divider(ModuleOp module, StagesOp stages, const schedule::Table& table)
      : symbols_(module),
        workers_(workersOf(stages)),
        numParts_(table.numParts()),
        pipes_(schedule::pipesOf(table)) {
    // The sums of all pipes are added up on the groups of the last pipe. The
    // gradients are needed on the groups that sbp.stages lists. So the pipe
    // with the most stages on these groups becomes the last one.
    auto isNearer = [&](const Pipe& left, const Pipe& right) {
      return numAtHome(left) < numAtHome(right);
    };
    auto nearest = std::max_element(pipes_.begin(), pipes_.end(), isNearer);
    std::rotate(nearest, std::next(nearest), pipes_.end());
  }

  LogicalResult run(ModuleOp module) {
    SmallVector<nn::RepeatOp> repeats;
    for (auto function : module.getOps<FuncOp>())
      function.walk([&](nn::RepeatOp repeat) {
        if (!repeat.getOnly() && isOfTasks(calleeOf(repeat)))
          repeats.push_back(repeat);
      });
    for (nn::RepeatOp repeat : repeats)
      if (failed(divide(repeat))) return failure();
    return success();
  }

 private:
  /// Returns the number of stages that `pipe` runs on the groups of sbp.stages.
  int64_t numAtHome(const Pipe& pipe) const {
    int64_t count = 0;
    for (auto [worker, home] : llvm::zip(pipe.workers, workers_.workerOfStage))
      count += worker == home;
    return count;
  }

  FuncOp calleeOf(mlir::CallOpInterface call) const {
    return nn::calleeOf(call, symbols_);
  }

  /// Whether `function` calls tasks of the pipeline.
  bool isOfTasks(FuncOp function) const {
    return llvm::any_of(function.getOps<CallOp>(), [&](CallOp call) {
      return taskOf(calleeOf(call)).has_value();
    });
  }

  LogicalResult divide(nn::RepeatOp repeat) {
    const auto times = static_cast<int64_t>(repeat.getTimes());
    if (times != numParts_)
      return repeat.emitOpError() << "calls " << repeat.getCalleeAttr() << " "
                                  << times << " times, but the schedule has "
                                  << numParts_ << " micro-batches";
    FuncOp first = calleeOf(repeat);
    std::vector<FuncOp> functions = {first};
    for (size_t pipe = 1; pipe < pipes_.size(); ++pipe)
      functions.push_back(copyOf(first,
                                 first.getName() + ".pipe" + llvm::Twine(pipe),
                                 functions.back()));

    OpBuilder builder(repeat);
    std::vector<nn::RepeatOp> ofPipes;
    for (auto [pipe, function] : llvm::zip(pipes_, functions)) {
      bringTo(pipe, function);
      auto only = pipes_.size() > 1 ? builder.getDenseI64ArrayAttr(pipe.parts)
                                    : mlir::DenseI64ArrayAttr();
      ofPipes.push_back(nn::RepeatOp::create(
          builder, repeat.getLoc(), repeat.getResultTypes(),
          repeat.getTimesAttr(), only, mlir::FlatSymbolRefAttr::get(function),
          repeat.getOperands()));
    }
    for (Value whole : repeat.getResults()) {
      const unsigned number =
          llvm::cast<mlir::OpResult>(whole).getResultNumber();
      Value sum = ofPipes.back().getResult(number);
      for (nn::RepeatOp other : llvm::drop_end(ofPipes))
        sum = nn::AddOp::create(builder, locationOf(whole), sum,
                                other.getResult(number));
      whole.replaceAllUsesWith(sum);
    }
    repeat.erase();
    return success();
  }

  /// Makes `function` call the versions of stages' functions that are on the
  /// groups of `pipe`.
  void bringTo(const Pipe& pipe, FuncOp function) {
    for (auto call : function.getOps<CallOp>()) {
      FuncOp callee = calleeOf(call);
      const std::optional<int64_t> stage = stageOf(callee);
      if (!stage) continue;
      const int64_t worker = pipe.workers[*stage];
      if (worker != workers_.workerOfStage[*stage])
        call.setCallee(onGroup(callee, workers_.groups[worker]).getName());
    }
  }

  /// Returns the copy on `group` of `function`, the function of a stage on
  /// another group.
  FuncOp onGroup(FuncOp function, mlir::FlatSymbolRefAttr group) {
    FuncOp& known = onGroups_[{function, group}];
    if (!known) {
      known = copyOf(function, function.getName() + "." + group.getValue(),
                     function);
      known->setAttr(kGroupAttrName, group);
    }
    return known;
  }

  /// Inserts a copy of `function` after the function `behind`.
  FuncOp copyOf(FuncOp function, const llvm::Twine& name, FuncOp behind) {
    FuncOp copy = function.clone();
    copy.setName(name.str());
    symbols_.insert(copy, std::next(behind->getIterator()));
    return copy;
  }

  mlir::SymbolTable symbols_;
  StageWorkers workers_;
  int64_t numParts_;
  std::vector<Pipe> pipes_;
  llvm::DenseMap<std::pair<Operation*, Attribute>, FuncOp> onGroups_;
};

}  // namespace

LogicalResult dividePipes(ModuleOp module) {
  FailureOr<std::optional<schedule::Table>> table = scheduleOf(module);
  if (failed(table)) return failure();
  if (!*table) return success();
  return Divider(module, stagesOf(module), **table).run(module);
}

}  // namespace sbp
