#include "passes/cut/RankPipelines.h"

#include <cmath>
#include <tuple>

#include "mlir/IR/SymbolTable.h"
#include "passes/cut/EntryUnits.h"
#include "passes/cut/PipelineProblem.h"
#include "passes/cut/TrainedEntry.h"
#include "passes/placement/Target.h"
#include "passes/placement/WatchedSearch.h"
#include "passes/search/pipeline/SearchJointPlan.h"

namespace sbp {

FailureOr<std::vector<RankedPipeline>> rankPipelines(
    ModuleOp module, double memoryBytes, const ChooseStagesOptions& options) {
  std::vector<RankedPipeline> ranked;
  mlir::func::FuncOp entry = trainedEntryOf(module);
  FailureOr<Target> target = chooseTarget(module, "");
  if (failed(target)) return failure();
  if (!entry) return ranked;
  const mlir::SymbolTable symbols(module);
  const EntryUnits units(entry, symbols);
  PipelineNumbers numbers =
      pipelineNumbers(target->mesh, entry, units.numUnits());
  if (options.groups > 0) numbers.groups = {options.groups};
  if (options.microBatches > 0) numbers.microBatches = {options.microBatches};
  const WatchedSearch watched(module.getContext(), options.searchSeconds,
                              options.searchMemory);
  FailureOr<search::JointProblem> problem = pipelineProblem(
      module, entry, units, *target, target->deviceOrAssumed(module),
      memoryBytes, numbers, options.reduceIn, watched.run());
  if (failed(problem)) return failure();
  if (problem->cases.empty()) return ranked;
  if (const absl::Status sound = problem->check(); !sound.ok())
    return mlir::emitError(entry.getLoc()) << std::string(sound.message());
  const search::JointAnswer answer = search::searchJointPlan(*problem);
  for (const search::CaseBound& known : answer.cases) {
    if (!std::isfinite(known.bound)) continue;
    const search::JointCase& ofCase = problem->cases[known.ofCase];
    ranked.push_back({ofCase.numStages(), ofCase.workers, ofCase.microBatches,
                      problem->families[known.family].name,
                      std::isfinite(known.best) ? known.best : known.bound,
                      known.bound});
  }
  // Of equal ones, those with fewer stages and micro-batches first.
  llvm::sort(ranked, [](const RankedPipeline& a, const RankedPipeline& b) {
    return std::tie(a.seconds, a.stages, a.microBatches, a.schedule) <
           std::tie(b.seconds, b.stages, b.microBatches, b.schedule);
  });
  return ranked;
}

}  // namespace sbp
