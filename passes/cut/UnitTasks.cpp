#include "passes/cut/UnitTasks.h"

#include <optional>
#include <set>
#include <string>

#include "dialects/nn/Calls.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "passes/boxing/Passes.h"
#include "passes/explain/Explanation.h"
#include "passes/module/PlacedTypes.h"
#include "passes/stages/StageTasks.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

/// Adds the names of `function` and of all functions that it calls to `names`.
void addWithCallees(FuncOp function, const mlir::SymbolTable& symbols,
                    std::set<std::string>& names) {
  if (!names.insert(function.getName().str()).second) return;
  function.walk([&](mlir::CallOpInterface call) {
    if (FuncOp callee = nn::calleeOf(call, symbols))
      addWithCallees(callee, symbols, names);
  });
}

}  // namespace

FailureOr<UnitTasks> tasksOfUnit(ModuleOp program, const Device& device,
                                 int64_t microBatches) {
  mlir::PassManager passes(program.getContext());
  passes.addPass(createInsertBoxing());
  if (failed(passes.run(program))) return failure();
  FailureOr<PlacedMeshes> meshes = placedMeshesOf(program);
  if (failed(meshes)) return failure();
  FailureOr<Explanation> explained = explain(program, *meshes, device);
  if (failed(explained)) return failure();
  const mlir::SymbolTable symbols(program);
  std::set<std::string> forward, backward;
  for (auto function : program.getOps<FuncOp>())
    if (std::optional<StageTask> task = taskOf(function))
      addWithCallees(function, symbols,
                     task->kind == TaskKind::Forward ? forward : backward);
  // The ops between the calls of a micro-batch add up its gradients.
  program.walk([&](nn::RepeatOp repeat) {
    backward.insert(nn::calleeOf(repeat).getValue().str());
  });
  UnitTasks tasks;
  for (const ExplainedEntry& entry : explained->entries)
    for (const ExplainedFunction& function : entry.functions) {
      const double seconds = function.computing() + function.communicating();
      if (forward.count(function.name) > 0)
        tasks.forward += seconds;
      else if (backward.count(function.name) > 0)
        tasks.backward += seconds;
      else
        tasks.once += seconds;
    }
  const auto count = static_cast<double>(microBatches);
  tasks.forward /= count;
  tasks.backward /= count;
  return tasks;
}

}  // namespace sbp
