#include "passes/cut/MarkStages.h"

#include <algorithm>
#include <map>
#include <set>

#include "dialects/sbp/Sbp.h"
#include "passes/stages/Stages.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

/// Marks the ops of one entry, in their order.
class EntryMarker {
 public:
  /// Returns the latest stage whose results `op` takes; -1 if it takes none.
  int64_t latestBefore(Operation* op) const {
    int64_t latest = -1;
    for (Value operand : op->getOperands())
      if (auto known = stages_.find(operand.getDefiningOp());
          known != stages_.end())
        latest = std::max(latest, known->second);
    return latest;
  }

  /// Puts `op` into `stage`. Marks `op` unless its operands imply this stage.
  void put(Operation* op, int64_t stage) {
    stages_[op] = stage;
    if (stage != latestBefore(op))
      op->setAttr(kStageAttrName,
                  mlir::Builder(op->getContext()).getI64IntegerAttr(stage));
  }

 private:
  llvm::DenseMap<Operation*, int64_t> stages_;
};

/// The stages of the trained entry that read each parameter.
using StagesOfParameters = std::map<StringRef, std::set<int64_t>>;

/// Returns the stage of `op` in an entry that is not trained, by the rule of
/// markStages. `latest` is the latest stage whose results `op` takes, or -1.
int64_t stageByParameters(Operation* op, int64_t latest,
                          const StagesOfParameters& readers) {
  int64_t stage = std::max<int64_t>(latest, 0);
  for (Value operand : op->getOperands()) {
    mlir::FlatSymbolRefAttr name = parameterOf(operand);
    auto known = name ? readers.find(name.getValue()) : readers.end();
    if (known == readers.end()) continue;
    auto next = known->second.lower_bound(std::max<int64_t>(latest, 0));
    if (next != known->second.end()) stage = std::max(stage, *next);
  }
  return stage;
}

}  // namespace

void markStages(ModuleOp module, const EntryUnits& units,
                const std::vector<int64_t>& begins) {
  StagesOfParameters readers;
  EntryMarker trained;
  int64_t stage = -1;
  auto lastStage = static_cast<int64_t>(begins.size()) - 1;
  for (auto [index, unit] : llvm::enumerate(units.units())) {
    if (stage < lastStage && static_cast<int64_t>(index) == begins[stage + 1])
      ++stage;
    trained.put(unit.op, stage);
    for (Value operand : unit.operands)
      if (mlir::FlatSymbolRefAttr name = parameterOf(operand))
        readers[name.getValue()].insert(stage);
  }
  Operation* entry = units.units().front().op->getParentOp();
  for (auto function : module.getOps<FuncOp>()) {
    if (!function.isPublic() || function == entry ||
        !function.getBody().hasOneBlock())
      continue;
    EntryMarker marker;
    for (Operation& op : function.getBody().front().without_terminator())
      if (!isSource(&op))
        marker.put(&op,
                   stageByParameters(&op, marker.latestBefore(&op), readers));
  }
}

}  // namespace sbp
