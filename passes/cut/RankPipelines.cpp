#include "passes/cut/RankPipelines.h"

#include <cmath>
#include <limits>
#include <tuple>

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/cut/EntryUnits.h"
#include "passes/cut/PipelineProblem.h"
#include "passes/cut/TrainedEntry.h"
#include "passes/placement/Target.h"
#include "passes/placement/WatchedSearch.h"
#include "passes/search/pipeline/SearchJointPlan.h"

namespace sbp {

using mlir::success;

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
  // The search of the plan that is chosen reports again.
  mlir::ScopedDiagnosticHandler silently(
      module.getContext(), [](mlir::Diagnostic& diagnostic) {
        return success(diagnostic.getSeverity() !=
                       mlir::DiagnosticSeverity::Error);
      });
  const WatchedSearch watched(module.getContext(), options.searchSeconds,
                              options.searchMemory);
  const Device device = target->deviceOrAssumed(module);
  PipelineProblem problem(
      {module, entry, units, *target, device, options.reduceIn}, memoryBytes,
      numbers, watched.run());
  if (problem.get().cases.empty()) return ranked;
  if (const absl::Status sound = problem.get().check(); !sound.ok())
    return mlir::emitError(entry.getLoc()) << std::string(sound.message());
  search::JointAnswer answer = search::searchJointPlan(problem.get());
  if (std::isfinite(memoryBytes)) {
    search::JointProblem unlimited = problem.get();
    unlimited.memory = std::numeric_limits<double>::max();
    const search::JointAnswer fastest = search::searchJointPlan(unlimited);
    // Where the fastest plans do not fit, smaller ones may.
    if (!answer.plan || answer.cost.seconds > fastest.cost.seconds) {
      const double best = answer.plan ? answer.cost.seconds
                                      : std::numeric_limits<double>::infinity();
      auto mayWin = [&](int64_t ofCase) {
        return llvm::any_of(fastest.cases, [&](const search::CaseBound& known) {
          return known.ofCase == ofCase && known.bound < best;
        });
      };
      if (failed(problem.addSmallOptions(mayWin, watched.run())))
        return failure();
      answer = search::searchJointPlan(problem.get());
    }
  }
  for (const search::CaseBound& known : answer.cases) {
    if (!std::isfinite(known.bound)) continue;
    const search::JointCase& ofCase = problem.get().cases[known.ofCase];
    ranked.push_back({ofCase.numStages(), ofCase.workers, ofCase.microBatches,
                      problem.get().families[known.family].name,
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
