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
#include "passes/cut/PipelineProblem.h"
#include "passes/module/TrainedEntry.h"
#include "passes/placement/Target.h"
#include "passes/placement/WatchedSearch.h"
#include "passes/search/pipeline/SearchJointPlan.h"

namespace sbp {

using mlir::success;

namespace {

/// Number of cases, the best ones by their bounds, of which the best plan is
/// found. More of them give more pipelines to choose from, and take longer.
constexpr size_t kMostCases = 8;

/// Part of the memory within which the best plan of a case is found, too. The
/// estimates of memory are optimistic, so a plan that needs less may be the one
/// that fits.
constexpr double kReserve = 0.75;

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

/// Returns the indices of the cases of `problem` that may have plans, those
/// that are probably fast first.
std::vector<int64_t> casesInOrder(const search::JointProblem& problem,
                                  const search::JointAnswer& answer) {
  std::map<int64_t, double> guesses;
  for (const search::CaseBound& known : answer.cases) {
    const double guess = guessOf(known, problem.cases[known.ofCase]);
    auto [least, isNew] = guesses.try_emplace(known.ofCase, guess);
    least->second = std::min(least->second, guess);
  }
  std::vector<std::pair<double, int64_t>> order;
  for (auto [ofCase, guess] : guesses)
    if (std::isfinite(guess)) order.emplace_back(guess, ofCase);
  llvm::sort(order);
  std::vector<int64_t> cases;
  for (auto [guess, ofCase] : order) cases.push_back(ofCase);
  return cases;
}

/// Adds the best plan of one case of `problem` by each family, within `memory`
/// bytes, if there is one.
void addBest(const search::JointProblem& problem, int64_t index, double memory,
             std::vector<RankedPipeline>& ranked) {
  search::JointProblem single;
  single.kinds = problem.kinds;
  single.cases = {problem.cases[index]};
  single.memory = memory;
  const search::JointCase& ofCase = single.cases.front();
  const bool isPipeline = ofCase.workers > 1;
  for (const schedule::ChosenFamily& family : problem.families) {
    single.families = {family};
    const search::JointAnswer answer = search::searchJointPlan(single);
    if (!answer.plan) continue;
    RankedPipeline best = {ofCase.numStages(), ofCase.workers,
                           ofCase.microBatches, isPipeline ? family.name : "",
                           answer.cost.seconds};
    if (!llvm::is_contained(ranked, best)) ranked.push_back(std::move(best));
    // One group runs all families alike.
    if (!isPipeline) break;
  }
}

}  // namespace

FailureOr<std::vector<RankedPipeline>> rankPipelines(
    ModuleOp module, double memoryBytes, const ChooseStagesOptions& options) {
  std::vector<RankedPipeline> ranked;
  mlir::func::FuncOp entry = trainedEntryOf(module);
  FailureOr<Target> target = chooseTarget(module, "");
  if (failed(target)) return failure();
  if (!entry) return ranked;
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
  if (options.groups > 0) numbers.groups = {options.groups};
  if (options.microBatches > 0) numbers.microBatches = {options.microBatches};
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
  const bool isLimited = std::isfinite(memoryBytes);
  if (isLimited) {
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
  std::vector<int64_t> cases = casesInOrder(problem.get(), answer);
  cases.resize(std::min(cases.size(), kMostCases));
  // The model without pipeline and micro-batches is always compared, even if no
  // estimate of it fits: a mixture of the two ways to run units may fit.
  for (auto [index, ofCase] : llvm::enumerate(problem.get().cases))
    if (ofCase.workers == 1 && ofCase.microBatches == 1)
      addBest(problem.get(), static_cast<int64_t>(index),
              std::numeric_limits<double>::max(), ranked);
  for (int64_t ofCase : cases) {
    addBest(problem.get(), ofCase, memoryBytes, ranked);
    if (isLimited)
      addBest(problem.get(), ofCase, kReserve * memoryBytes, ranked);
  }
  // Of equal ones, those with fewer stages and micro-batches first.
  llvm::sort(ranked, [](const RankedPipeline& a, const RankedPipeline& b) {
    return std::tie(a.seconds, a.stages, a.microBatches, a.schedule) <
           std::tie(b.seconds, b.stages, b.microBatches, b.schedule);
  });
  return ranked;
}

}  // namespace sbp
