#include "passes/cut/RankPipelines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/cut/CaseAdder.h"
#include "passes/cut/EntryUnits.h"
#include "passes/cut/GroupShape.h"
#include "passes/cut/PipelineProblem.h"
#include "passes/module/TrainedEntry.h"
#include "passes/placement/Target.h"
#include "passes/placement/WatchedSearch.h"
#include "passes/search/pipeline/SearchJointPlan.h"

namespace sbp {

using mlir::success;

namespace {

/// Memory is short if more of it would save this fraction of the time.
constexpr double kWorthMemory = 0.01;

/// The least memory that suffices is found up to the fraction kMemoryPrecision,
/// and only up to kMostTimesMemory times the memory that there is.
constexpr double kMemoryPrecision = 0.02;
constexpr double kMostTimesMemory = 1024;

/// Largest factor by which the memory of a plan is overestimated.
constexpr double kMostOverestimate = 1.5;

/// More options of a case are priced only if its work takes less than this
/// multiple of the best time of all plans that fit. A larger one gives more
/// pipelines to choose from.
constexpr double kWorthOptions = 1.1;

/// Whether some plan of `problem` is faster by more than kWorthMemory than
/// `fitting`, the fastest one that fits, if there is one.
bool isShortOfMemory(search::JointProblem problem,
                     std::optional<double> fitting) {
  problem.memory = std::numeric_limits<double>::max();
  const search::JointAnswer any = search::searchJointPlan(problem);
  return any.plan &&
         (!fitting || *fitting > (1 + kWorthMemory) * any.cost.seconds);
}

/// Sets the smallest pipeline of `ranking` to one of `all`, of whose plans none
/// fits.
void addSmallest(const PipelineProblem& all, PipelineRanking& ranking) {
  search::JointProblem problem = all.get();
  double tooLittle = problem.memory;
  const double most = tooLittle * kMostTimesMemory;
  double enough = std::numeric_limits<double>::infinity();
  while (enough > (1 + kMemoryPrecision) * tooLittle && tooLittle < most) {
    problem.memory =
        std::isfinite(enough) ? std::sqrt(tooLittle * enough) : 2 * tooLittle;
    const search::JointAnswer answer = search::searchJointPlan(problem);
    if (!answer.plan) {
      tooLittle = problem.memory;
      continue;
    }
    enough = problem.memory;
    ranking.smallestBytes = enough;
    ranking.smallest = all.priced().pipelineOf(answer);
  }
}

/// Adds the best plan of case number `index` of `all` by each family, within
/// `memory` bytes, if there is one.
void addBest(const PipelineProblem& all, size_t index, double memory,
             std::vector<EstimatedPipeline>& ranked) {
  const std::vector<schedule::ChosenFamily>& families = all.get().families;
  const search::JointCase& ofCase = all.get().cases[index];
  PricedPipelines single = {all.get().withCases({ofCase}),
                            {all.priced().groups[index]},
                            all.priced().kept};
  single.problem.memory = memory;
  for (const schedule::ChosenFamily& family : families) {
    single.problem.families = {family};
    const search::JointAnswer answer = search::searchJointPlan(single.problem);
    if (!answer.plan) continue;
    EstimatedPipeline best = single.pipelineOf(answer);
    if (!llvm::is_contained(ranked, best)) ranked.push_back(std::move(best));
    // One group runs all families alike.
    if (ofCase.workers == 1) break;
  }
}

}  // namespace

FailureOr<PipelineRanking> rankPipelines(ModuleOp module, double memoryBytes,
                                         const ChooseStagesOptions& options,
                                         Kept kept, PricedFor pricedFor,
                                         const PricedTimes* ofMore) {
  PipelineRanking ranking;
  if (ofMore) ranking.times.fitting = ofMore->fitting;
  std::vector<EstimatedPipeline>& ranked = ranking.pipelines;
  mlir::func::FuncOp entry = trainedEntryOf(module);
  FailureOr<Target> target = chooseTarget(module, "");
  if (failed(target)) return failure();
  if (!entry) return ranking;
  // The search of the plan that is chosen reports again.
  mlir::ScopedDiagnosticHandler silently(
      module.getContext(), [](mlir::Diagnostic& diagnostic) {
        return success(diagnostic.getSeverity() !=
                       mlir::DiagnosticSeverity::Error);
      });
  const mlir::SymbolTable symbols(module);
  const EntryUnits units(entry, symbols);
  PipelineNumbers numbers =
      pipelineNumbers(target->mesh, entry, units.numUnits());
  if (options.groups.isGiven()) {
    const auto groups = shapeOf(target->mesh, options.groups);
    if (!groups) return ranking;
    numbers.groups = {*groups};
    numbers.innerGroups.clear();
  }
  if (options.microBatches > 0) numbers.microBatches = {options.microBatches};
  const WatchedSearch watched(module.getContext(), options.searchSeconds,
                              options.searchMemory);
  const Device device = target->deviceOrAssumed(module);
  PipelineProblem problem(
      {module, entry, units, *target, device, options.reduceIn, kept},
      memoryBytes, /*isShort=*/ofMore != nullptr);
  CaseAdder adder(problem, ofMore, watched.run());
  adder.addAll(numbers);
  ranking.times.work = adder.leftOut();
  ranking.isShortOfMemory = !adder.leftOut().empty();
  if (problem.get().cases.empty()) return ranking;
  if (const absl::Status sound = problem.get().check(); !sound.ok())
    return mlir::emitError(entry.getLoc()) << std::string(sound.message());
  const std::vector<search::JointCase>& cases = problem.get().cases;
  const std::vector<CaseNumbers> order = problem.numbersInOrder();
  double& fitting = ranking.times.fitting;
  std::vector<CaseNumbers> withFew;  // options
  for (const CaseNumbers& numbers :
       ArrayRef(order).take_front(CaseAdder::kMostNumbers)) {
    if (!problem.isLimited(numbers) ||
        problem.secondsOfWork(numbers) >= kWorthOptions * fitting)
      withFew.push_back(numbers);
    else if (failed(problem.addOptions(numbers, watched.run())))
      return failure();
    for (size_t index = 0; index < cases.size(); ++index) {
      if (!(problem.numbersOf(index) == numbers)) continue;
      addBest(problem, index, memoryBytes, ranked);
      if (problem.hasLimit())
        addBest(problem, index, PipelineProblem::kReserve * memoryBytes,
                ranked);
    }
    for (const EstimatedPipeline& pipeline : ranked)
      fitting = std::min(fitting, pipeline.seconds);
  }
  if (std::isinf(fitting)) addSmallest(problem, ranking);
  llvm::sort(ranked, isFaster);
  ranking.isShortOfMemory =
      problem.hasLimit() &&
      isShortOfMemory(problem.get(),
                      ranked.empty() ? std::nullopt
                                     : std::optional(ranked.front().seconds));
  if (ranking.isShortOfMemory)
    for (size_t index = 0; index < cases.size(); ++index) {
      const CaseNumbers& numbers = problem.numbersOf(index);
      ranking.times.work[numbers] = problem.secondsOfWork(numbers);
    }
  // The model without pipeline and micro-batches is compared if there is a
  // chance that it fits: a mixture of other ways to run units may fit where no
  // estimate does.
  for (size_t index = 0; index < cases.size(); ++index)
    if (cases[index].workers == 1 && cases[index].microBatches == 1)
      addBest(problem, index,
              problem.hasLimit() ? kMostOverestimate * memoryBytes
                                 : std::numeric_limits<double>::max(),
              ranked);
  if (problem.hasLimit() && pricedFor == PricedFor::WhatIf)
    for (const CaseNumbers& numbers : withFew)
      if (failed(problem.addOptions(numbers, watched.run()))) return failure();
  ranking.priced.push_back(problem.priced());
  llvm::sort(ranked, isFaster);
  return ranking;
}

}  // namespace sbp
