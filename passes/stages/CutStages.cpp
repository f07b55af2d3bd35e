#include "passes/stages/CutStages.h"

#include <optional>
#include <string>
#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/names/Names.h"
#include "passes/stages/LiftParameterReads.h"
#include "passes/stages/Schedule.h"
#include "passes/stages/Stages.h"

namespace sbp {

namespace {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

/// Cuts the ops of one entry into functions.
class EntryCutter {
 public:
  EntryCutter(FuncOp entry, StagesOp stages, mlir::SymbolTable& symbols)
      : entry_(entry),
        body_(entry.getBody().front()),
        stages_(stages),
        symbols_(symbols) {}

  LogicalResult run() {
    if (failed(findStages())) return failure();
    for (size_t stage = 0; stage < stages_.getGroups().size(); ++stage)
      if (SmallVector<Operation*> ops = opsOf(stage); !ops.empty())
        outline(stage, ops);
    // Stores into parameters stay in the entry: the parameter may be on another
    // group than the stage that makes its new value.
    for (nn::SetOp set : llvm::to_vector(body_.getOps<nn::SetOp>())) {
      set->removeAttr(kStageAttrName);
      set->moveBefore(body_.getTerminator());
    }
    for (Operation& op : llvm::make_early_inc_range(body_))
      if (isSource(&op) && op.use_empty()) op.erase();
    return success();
  }

 private:
  /// Finds the stage of each op that is not a source (isSource). An op without
  /// a mark is in the latest stage whose results it takes.
  LogicalResult findStages() {
    bool isAnyMarked = false;
    for (Operation& op : body_.without_terminator()) {
      std::optional<int64_t> marked = stageOf(&op);
      isAnyMarked |= marked.has_value();
      if (failed(checkMark(op, marked))) return failure();
      if (marked && isSource(&op))
        return op.emitOpError()
               << "is of stage " << *marked
               << ", but has no operand from a stage; such an op belongs to "
               << "every stage that uses its result";
      if (isSource(&op)) continue;
      Value latest = latestOperand(op);
      if (!marked && !latest) continue;
      int64_t needed = latest ? stage_.lookup(latest.getDefiningOp()) : 0;
      if (marked && *marked < needed) return refuse(op, *marked, latest);
      // A store is in no stage, although it takes a result of one.
      if (llvm::isa<nn::SetOp>(op)) continue;
      stage_[&op] = marked.value_or(needed);
    }
    if (Operation* end = body_.getTerminator(); stageOf(end))
      return end->emitOpError() << "is of stage " << *stageOf(end)
                                << ", but the end of an entry has no stage";
    if (!isAnyMarked)
      return entry_.emitOpError() << "has no op with the attribute '"
                                  << kStageAttrName << "', but the module has "
                                  << stages_.getGroups().size() << " stages";
    // An op that takes no result of a stage is in the earliest stage that uses
    // it.
    for (Operation& op : llvm::reverse(body_.without_terminator())) {
      if (isSource(&op) || llvm::isa<nn::SetOp>(op) || stage_.contains(&op))
        continue;
      std::optional<int64_t> earliest;
      for (Operation* user : op.getUsers())
        if (auto known = stage_.find(user); known != stage_.end())
          earliest = std::min(earliest.value_or(known->second), known->second);
      stage_[&op] = earliest.value_or(0);
    }
    return success();
  }

  LogicalResult checkMark(Operation& op, std::optional<int64_t> marked) {
    auto numStages = static_cast<int64_t>(stages_.getGroups().size());
    if (!marked || (*marked >= 0 && *marked < numStages)) return success();
    mlir::InFlightDiagnostic diagnostic =
        op.emitOpError() << "is of stage " << *marked
                         << ", but the module's stages are 0 to "
                         << numStages - 1;
    diagnostic.attachNote(stages_.getLoc()) << "they are listed here";
    return diagnostic;
  }

  /// Returns the operand of `op` that is made by the latest stage; null if no
  /// stage makes an operand.
  Value latestOperand(Operation& op) {
    Value latest;
    for (Value operand : op.getOperands()) {
      auto known = stage_.find(operand.getDefiningOp());
      if (known == stage_.end()) continue;
      if (!latest || known->second > stage_.lookup(latest.getDefiningOp()))
        latest = operand;
    }
    return latest;
  }

  LogicalResult refuse(Operation& op, int64_t stage, Value operand) {
    mlir::InFlightDiagnostic diagnostic = op.emitOpError();
    diagnostic << "is of stage " << stage << ", but takes ";
    std::string name = nameOf(operand);
    diagnostic << (name.empty() ? "a tensor" : name) << ", which stage "
               << stage_.lookup(operand.getDefiningOp())
               << " makes; a stage takes what it or an earlier one has made";
    diagnostic.attachNote(operand.getLoc()) << "it is made here";
    return diagnostic;
  }

  SmallVector<Operation*> opsOf(int64_t stage) {
    SmallVector<Operation*> ops;
    for (Operation& op : body_.without_terminator())
      if (auto known = stage_.find(&op);
          known != stage_.end() && known->second == stage)
        ops.push_back(&op);
    return ops;
  }

  /// Moves `ops` into a function, and calls the function at the end of the
  /// entry.
  void outline(int64_t stage, ArrayRef<Operation*> ops) {
    llvm::SmallPtrSet<Operation*, 16> inside(ops.begin(), ops.end());
    auto isInside = [&](Operation* op) { return inside.contains(op); };
    llvm::SetVector<Value> taken, given;
    llvm::SetVector<Operation*> sources;
    for (Operation* op : ops) {
      for (Value operand : op->getOperands()) {
        Operation* maker = operand.getDefiningOp();
        if (maker && isInside(maker)) continue;
        if (maker && isSource(maker) && !llvm::isa<nn::GetOp>(maker))
          sources.insert(maker);
        else
          taken.insert(operand);
      }
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(),
                         [&](Operation* user) { return !isInside(user); }))
          given.insert(result);
    }

    FuncOp function = declare(stage, taken.getArrayRef(), given.getArrayRef());
    mlir::Block* block = function.addEntryBlock();
    for (auto [argument, value] :
         llvm::zip(block->getArguments(), taken.getArrayRef()))
      argument.setLoc(locationOf(value));
    callIt(stage, function, taken.getArrayRef(), given.getArrayRef(), isInside);

    mlir::IRMapping inner;
    inner.map(taken.getArrayRef(), block->getArguments());
    OpBuilder builder = OpBuilder::atBlockEnd(block);
    for (Operation* source : sources)
      builder.clone(*source, inner)->removeAttr(kStageAttrName);
    for (Operation* op : ops) {
      op->remove();
      builder.insert(op);
      op->removeAttr(kStageAttrName);
      for (mlir::OpOperand& operand : op->getOpOperands())
        operand.set(inner.lookupOrDefault(operand.get()));
    }
    ReturnOp::create(builder, entry_.getLoc(), given.getArrayRef());
  }

  FuncOp declare(int64_t stage, ArrayRef<Value> taken, ArrayRef<Value> given) {
    auto type = mlir::FunctionType::get(entry_.getContext(),
                                        TypeRange(ValueRange(taken)),
                                        TypeRange(ValueRange(given)));
    std::string name = (entry_.getName() + ".stage" + llvm::Twine(stage)).str();
    FuncOp function = FuncOp::create(entry_.getLoc(), name, type);
    function.setPrivate();
    function->setAttr(kStageAttrName,
                      mlir::Builder(function).getI64IntegerAttr(stage));
    symbols_.insert(function, entry_->getIterator());
    return function;
  }

  /// Calls `function`, and replaces the uses of `given` that are outside of it.
  void callIt(int64_t stage, FuncOp function, ArrayRef<Value> taken,
              ArrayRef<Value> given,
              llvm::function_ref<bool(Operation*)> isInside) {
    OpBuilder builder(body_.getTerminator());
    mlir::IntegerAttr number = builder.getI64IntegerAttr(stage);
    // Each stage reads a parameter itself, and so makes its own gradient of it.
    SmallVector<Value> operands(taken);
    for (Value& operand : operands)
      if (auto get = operand.getDefiningOp<nn::GetOp>()) {
        Operation* own = builder.clone(*get);
        own->setAttr(kStageAttrName, number);
        operand = own->getResult(0);
      }
    auto call = CallOp::create(builder, entry_.getLoc(), function, operands);
    nameResults(call, llvm::map_to_vector(given, nameOf));
    for (auto [value, result] : llvm::zip(given, call.getResults()))
      Value(value).replaceUsesWithIf(result, [&](mlir::OpOperand& use) {
        return !isInside(use.getOwner());
      });
    // The users of `given` now take the call's results. Their stages remain the
    // same.
    stage_[call] = stage;
  }

  FuncOp entry_;
  mlir::Block& body_;
  StagesOp stages_;
  mlir::SymbolTable& symbols_;
  llvm::DenseMap<Operation*, int64_t> stage_;
};

/// Marks the functions of stages that trained entries call, as `table`
/// requires (markStage).
LogicalResult markForTraining(ModuleOp module, const schedule::Table& table) {
  mlir::SymbolTable symbols(module);
  for (auto entry : module.getOps<FuncOp>()) {
    if (!entry->hasAttr(nn::kOptimizerAttrName)) continue;
    for (auto call : entry.getOps<CallOp>())
      if (auto callee = symbols.lookup<FuncOp>(call.getCallee()))
        if (std::optional<int64_t> stage = stageOf(callee);
            stage && failed(markStage(callee, *stage, table)))
          return failure();
  }
  return success();
}

/// Fails at an op on which the mark of a stage has no meaning.
LogicalResult checkMarks(ModuleOp module, StagesOp stages) {
  mlir::WalkResult result = module.walk([&](Operation* op) {
    Attribute stage = op->getAttr(kStageAttrName);
    if (!stage) return mlir::WalkResult::advance();
    auto inside = op->getParentOfType<FuncOp>();
    if (!llvm::isa<mlir::IntegerAttr>(stage))
      op->emitOpError() << "has '" << kStageAttrName << "' " << stage
                        << ", which is no number of a stage";
    else if (!stages)
      op->emitOpError() << "is of stage " << *stageOf(op)
                        << ", but the module has no sbp.stages";
    else if (auto entry = llvm::dyn_cast<FuncOp>(op); entry && entry.isPublic())
      op->emitOpError() << "is an entry, and is of stage " << *stageOf(op)
                        << "; the stages belong on the ops of an entry";
    else if (inside && inside.isPrivate())
      op->emitOpError() << "is of stage " << *stageOf(op) << ", but stands in @"
                        << inside.getName()
                        << "; the stage belongs on a call of it in an entry";
    else
      return mlir::WalkResult::advance();
    return mlir::WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Whether the module is cut already. A placed program counts as cut.
bool isCut(ModuleOp module) {
  auto functions = module.getOps<FuncOp>();
  return functions.empty() || llvm::any_of(functions, [](FuncOp function) {
           return function.isPrivate() && stageOf(function).has_value();
         });
}

/// Fails if a stage has no op in any entry.
LogicalResult checkUse(ModuleOp module, StagesOp stages) {
  std::vector<bool> isUsed(stages.getGroups().size());
  for (auto function : module.getOps<FuncOp>())
    if (auto stage = stageOf(function)) isUsed[*stage] = true;
  for (auto [stage, used] : llvm::enumerate(isUsed))
    if (!used)
      return stages.emitOpError()
             << "has " << isUsed.size() << " stages, but no op is of stage "
             << stage << ", which " << groupOf(stages, stage) << " would run";
  return success();
}

LogicalResult cut(ModuleOp module, StagesOp stages) {
  if (failed(checkMarks(module, stages))) return failure();
  if (!stages) return success();
  liftParameterReads(module);
  mlir::SymbolTable symbols(module);
  for (FuncOp entry : llvm::to_vector(module.getOps<FuncOp>()))
    if (entry->hasAttr(nn::kTrainedByAttrName))
      return entry.emitOpError()
             << "is the training step of a loss that was not cut into stages; "
                "run --sbp-cut-stages before --sbp-differentiate, which makes "
                "the step";
  for (FuncOp entry : llvm::to_vector(module.getOps<FuncOp>()))
    if (entry.isPublic() && entry.getBody().hasOneBlock() &&
        failed(EntryCutter(entry, stages, symbols).run()))
      return failure();
  return checkUse(module, stages);
}

}  // namespace

LogicalResult cutStages(ModuleOp module) {
  FailureOr<std::optional<schedule::Table>> table = scheduleOf(module);
  if (failed(table)) return failure();
  if (!isCut(module) && failed(cut(module, stagesOf(module)))) return failure();
  return *table ? markForTraining(module, **table) : success();
}

}  // namespace sbp
