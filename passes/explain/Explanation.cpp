#include "passes/explain/Explanation.h"

#include <map>
#include <utility>

#include "dialects/nn/Calls.h"
#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/boxing/Cost.h"
#include "passes/explain/Pricing.h"
#include "passes/module/CallCounts.h"
#include "passes/placement/FreeLayers.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

class Explainer {
 public:
  Explainer(ModuleOp module, const PlacedMeshes& meshes, const Device& device,
            const KernelShares& shares)
      : module_(module),
        meshes_(meshes),
        symbols_(module),
        pricing_(meshes, device, shares) {}

  FailureOr<Explanation> run() {
    Explanation explanation;
    for (auto function : module_.getOps<FuncOp>())
      if (function.isPublic())
        explanation.entries.push_back(explainEntry(function));
    for (auto parameter : module_.getOps<nn::ParameterOp>()) {
      auto type = llvm::cast<RankedTensorType>(parameter.getType());
      double& bytes = parameter.getState() ? explanation.memory.state
                                           : explanation.memory.parameters;
      bytes += static_cast<double>(
          alignedBytes(static_cast<int64_t>(pricing_.bytesOf(type))));
    }
    if (failed(pricing_.status())) return failure();
    return explanation;
  }

 private:
  ExplainedEntry explainEntry(FuncOp entry) {
    ExplainedEntry explained;
    explained.name = entry.getName().str();
    levels_.clear();
    for (const auto& [name, mesh] : meshes_.byName)
      for (const MeshAxis& axis : mesh.axes) levels_[axis.level];
    const auto counts = callCounts(entry, symbols_);
    const auto again = timesAgain(counts);
    for (auto [function, times] : counts) {
      explained.functions.push_back(explainFunction(function, times));
      explained.functions.back().timesAgain = again.lookup(function);
    }
    for (auto [level, traffic] : levels_)
      explained.levels.push_back({level, traffic.bytes, traffic.seconds});
    return explained;
  }

  /// Returns how many of the calls of each function compute values again.
  /// `counts` has all calls, of callers before those of callees.
  llvm::DenseMap<Operation*, int64_t> timesAgain(
      const llvm::MapVector<FuncOp, int64_t>& counts) {
    llvm::DenseMap<Operation*, int64_t> again;
    for (auto [function, times] : counts) {
      if (function->hasAttr(nn::kRecomputesAttrName)) again[function] = times;
      const int64_t ofCaller = again[function];
      if (ofCaller == 0) continue;
      for (auto call : FuncOp(function).getOps<mlir::func::CallOp>())
        again[nn::calleeOf(call, symbols_)] += ofCaller;
    }
    return again;
  }

  ExplainedFunction explainFunction(FuncOp function, int64_t times) {
    ExplainedFunction explained;
    explained.name = function.getName().str();
    explained.layer = layerOf(function).str();
    explained.times = times;
    if (auto calls =
            function->getAttrOfType<mlir::DenseI64ArrayAttr>(kCallsAttrName))
      explained.calls = calls.asArrayRef().vec();
    for (Operation& op : function.getBody().front()) {
      // Other groups pay for the ends of a group's program.
      if (llvm::isa<ArriveOp, DepartOp>(op)) continue;
      if (auto box = llvm::dyn_cast<BoxOp>(op)) {
        explained.movements.push_back(pricing_.explain(box, times));
        addLevels(explained.movements.back().steps);
      } else if (auto distributed =
                     llvm::dyn_cast<DistributedOpInterface>(op)) {
        explained.ops.push_back(pricing_.explain(distributed, times));
        addLevels(explained.ops.back().steps);
      }
    }
    return explained;
  }

  void addLevels(const std::vector<ExplainedStep>& steps) {
    for (const ExplainedStep& step : steps)
      for (const LevelTraffic& sent : step.traffic) {
        levels_[sent.level].bytes += sent.bytes;
        levels_[sent.level].seconds += sent.seconds;
      }
  }

  ModuleOp module_;
  const PlacedMeshes& meshes_;
  mlir::SymbolTable symbols_;
  Pricing pricing_;
  std::map<int64_t, LevelTraffic> levels_;  // of the entry being explained
};

}  // namespace

double ExplainedFunction::computing() const {
  double seconds = 0;
  for (const ExplainedOp& op : ops) seconds += op.seconds;
  return seconds;
}

double ExplainedFunction::communicating() const {
  double seconds = 0;
  for (const ExplainedOp& op : ops) seconds += op.communicating;
  for (const ExplainedMovement& movement : movements)
    seconds += movement.seconds;
  return seconds;
}

double ExplainedEntry::computing() const {
  double seconds = 0;
  for (const ExplainedFunction& function : functions)
    seconds += function.computing();
  return seconds;
}

double ExplainedEntry::communicating() const {
  double seconds = 0;
  for (const ExplainedFunction& function : functions)
    seconds += function.communicating();
  return seconds;
}

double ExplainedEntry::saved() const {
  double seconds = 0;
  for (const ExplainedFunction& function : functions)
    for (const ExplainedOp& op : function.ops) seconds += op.saved;
  return seconds;
}

double ExplainedEntry::recomputing() const {
  double seconds = 0;
  for (const ExplainedFunction& function : functions)
    if (function.timesAgain > 0)
      seconds += (function.computing() + function.communicating()) *
                 static_cast<double>(function.timesAgain) /
                 static_cast<double>(function.times);
  return seconds;
}

FailureOr<Explanation> explain(ModuleOp boxed, const PlacedMeshes& meshes,
                               const Device& device,
                               const KernelShares& shares) {
  return Explainer(boxed, meshes, device, shares).run();
}

}  // namespace sbp
