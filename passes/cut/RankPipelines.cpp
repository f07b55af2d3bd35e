#include "passes/cut/RankPipelines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
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

/// Number of pairs of groups and micro-batches, the best ones by a guess, of
/// which the best plans are found. More of them give more pipelines to choose
/// from, and take longer.
constexpr size_t kMostNumbers = 8;

/// Memory is short if more of it would save this fraction of the time.
constexpr double kWorthMemory = 0.01;

/// The least memory that suffices is found up to the fraction kMemoryPrecision,
/// and only up to kMostTimesMemory times the memory that there is.
constexpr double kMemoryPrecision = 0.02;
constexpr double kMostTimesMemory = 1024;

/// Largest factor by which the memory of a plan is overestimated.
constexpr double kMostOverestimate = 1.5;

/// More options of a case are priced only if its best plan without a limit of
/// memory takes less than this multiple of the best time of all plans that fit.
/// A larger one gives more pipelines to choose from.
constexpr double kWorthOptions = 1.1;

/// Returns a guess of the best time of a case of which `known` is known: the
/// bound, which fits a pipeline that is never idle, and the time to fill and
/// drain it.
double guessOf(const search::CaseBound& known,
               const search::JointCase& ofCase) {
  if (std::isfinite(known.best)) return known.best;
  return known.bound *
         (1 + static_cast<double>(ofCase.workers - 1) /
                  static_cast<double>(ofCase.microBatches * ofCase.chunks));
}

/// Returns the numbers of the cases of `problem` that may have plans, those
/// that are probably fast first.
std::vector<CaseNumbers> numbersInOrder(const PipelineProblem& problem) {
  const search::JointAnswer answer = search::searchJointPlan(problem.get());
  std::map<CaseNumbers, double> guesses;
  for (const search::CaseBound& known : answer.cases) {
    const search::JointCase& ofCase = problem.get().cases[known.ofCase];
    const double guess = guessOf(known, ofCase);
    auto [least, isNew] =
        guesses.try_emplace(problem.numbersOf(known.ofCase), guess);
    least->second = std::min(least->second, guess);
  }
  std::vector<std::pair<double, CaseNumbers>> order;
  for (const auto& [numbers, guess] : guesses)
    if (std::isfinite(guess)) order.emplace_back(guess, numbers);
  llvm::sort(order);
  std::vector<CaseNumbers> ordered;
  for (auto& [guess, numbers] : order) ordered.push_back(std::move(numbers));
  return ordered;
}

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

/// Adds cases to a problem that are worth pricing.
class CaseAdder {
 public:
  /// Leaves out cases that are probably slower than the best pipeline of
  /// `keepsMore`, if there is such a ranking. Its times are those of layers
  /// that keep more, which are faster.
  CaseAdder(PipelineProblem& problem, const PipelineRanking* keepsMore,
            const search::SearchRun& run)
      : problem_(problem), keepsMore_(keepsMore), run_(run) {}

  /// Adds the cases of `numbers`. Tries every second number of micro-batches,
  /// then inner groups, and then numbers of micro-batches next to the best
  /// ones.
  void addAll(const PipelineNumbers& numbers) {
    const std::vector<int64_t>& counts = numbers.microBatches;
    for (size_t first : {0, 1}) {
      for (size_t index = first; index < counts.size(); index += 2)
        // Smaller groups are priced sooner.
        for (const GroupShape& groups : llvm::reverse(numbers.groups))
          add({groups, counts[index]});
      if (!problem_.get().cases.empty()) break;
    }
    if (problem_.get().cases.empty()) return;
    std::vector<CaseNumbers> order = numbersInOrder(problem_);
    if (!numbers.innerGroups.empty()) {
      addInner(numbers.innerGroups, order);
      order = numbersInOrder(problem_);
    }
    for (const auto& [groups, microBatches] :
         ArrayRef(order).take_front(kMostNumbers)) {
      const size_t index = llvm::find(counts, microBatches) - counts.begin();
      if (index > 0) add({groups, counts[index - 1]});
      if (index + 1 < counts.size()) add({groups, counts[index + 1]});
    }
  }

  /// Returns guesses of the seconds, without a limit of memory, of the cases
  /// that were left out.
  const std::map<CaseNumbers, double>& leftOut() const { return leftOut_; }

 private:
  /// Adds cases of `inner` groups. `known` are the numbers of other cases, the
  /// best ones first: a number of micro-batches is taken that is best for as
  /// many groups of another shape, or for any.
  void addInner(ArrayRef<GroupShape> inner, ArrayRef<CaseNumbers> known) {
    if (known.empty()) return;
    for (const GroupShape& groups : inner) {
      const auto* best = llvm::find_if(known, [&](const CaseNumbers& numbers) {
        return numbers.groups.numGroups() == groups.numGroups();
      });
      if (best == known.end()) best = known.begin();
      add({groups, best->microBatches});
    }
  }

  void add(const CaseNumbers& numbers) {
    const double ofMore = secondsOfMore(numbers);
    const double guess = ofMore * slowdown_.value_or(1);
    if (keepsMore_ && guess >= keepsMore_->fittingSeconds) {
      leftOut_[numbers] = guess;
      return;
    }
    problem_.addCases(numbers, run_);
    if (ofMore == 0) return;
    const double seconds = problem_.secondsOfWork(numbers);
    if (!std::isfinite(seconds)) return;
    const double ratio = std::max(1.0, seconds / ofMore);
    slowdown_ = std::min(slowdown_.value_or(ratio), ratio);
  }

  /// Returns the seconds of the cases of `numbers` if layers keep more; 0 if
  /// they are not known.
  double secondsOfMore(const CaseNumbers& numbers) const {
    if (!keepsMore_) return 0;
    const auto known = keepsMore_->secondsOfWork.find(numbers);
    return known == keepsMore_->secondsOfWork.end() ? 0 : known->second;
  }

  PipelineProblem& problem_;
  const PipelineRanking* keepsMore_;
  const search::SearchRun& run_;
  std::map<CaseNumbers, double> leftOut_;
  /// The least factor so far by which a case is slower than if layers keep
  /// more.
  std::optional<double> slowdown_;
};

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
                                         const PipelineRanking* keepsMore) {
  PipelineRanking ranking;
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
      memoryBytes, /*isShort=*/keepsMore != nullptr);
  CaseAdder adder(problem, keepsMore, watched.run());
  adder.addAll(numbers);
  if (problem.get().cases.empty()) return ranking;
  if (const absl::Status sound = problem.get().check(); !sound.ok())
    return mlir::emitError(entry.getLoc()) << std::string(sound.message());
  const std::vector<search::JointCase>& cases = problem.get().cases;
  const std::vector<CaseNumbers> order = numbersInOrder(problem);
  double& fitting = ranking.fittingSeconds;
  if (keepsMore) fitting = keepsMore->fittingSeconds;
  std::vector<CaseNumbers> ample;  // with as much memory as they need
  for (const CaseNumbers& numbers : ArrayRef(order).take_front(kMostNumbers)) {
    if (!problem.isLimited(numbers))
      ample.push_back(numbers);
    else if (problem.secondsOfWork(numbers) < kWorthOptions * fitting &&
             failed(problem.addOptions(numbers, watched.run())))
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
  if (ranking.isShortOfMemory) {
    ranking.secondsOfWork = adder.leftOut();
    for (size_t index = 0; index < cases.size(); ++index) {
      const CaseNumbers& numbers = problem.numbersOf(index);
      ranking.secondsOfWork[numbers] = problem.secondsOfWork(numbers);
    }
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
    for (const CaseNumbers& numbers : ample)
      if (failed(problem.addOptions(numbers, watched.run()))) return failure();
  ranking.priced.push_back(problem.priced());
  llvm::sort(ranked, isFaster);
  return ranking;
}

}  // namespace sbp
