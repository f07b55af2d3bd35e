#include "passes/search/allocation/SearchAllocation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "passes/search/allocation/AllocationBound.h"
#include "passes/search/allocation/AllocationDescent.h"
#include "passes/search/allocation/AllocationTree.h"
#include "passes/search/allocation/ContiguousCut.h"
#include "passes/search/allocation/SchedulePattern.h"

namespace sbp::search {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kSecond = 1e3;  // milliseconds

/// Part of the time left that a bound may take at most.
constexpr double kPartOfBound = 0.25;

/// Numbers of targets, and of reserves, that descents take in turns.
constexpr int64_t kParts = 8, kReserves = 5;
/// Least gain of a descent, as a part of the period.
constexpr double kLeastGain = 1e-6;

/// Numbers processors in the order of their first layers.
void renumber(Allocation& allocation) {
  std::map<int64_t, int64_t> numbers;
  for (AllocatedStage& stage : allocation)
    stage.processor =
        numbers.emplace(stage.processor, numbers.size()).first->second;
}

class AllocationSearch {
 public:
  AllocationSearch(const ChainProblem& problem, const AllocationTuning& tuning,
                   const SearchRun& run)
      : costs_(problem), tuning_(tuning), run_(run) {}

  AllocationAnswer answer() {
    run_.beginPhase("contiguous cuts");
    const Allocation cut = *pipeDreamCut(costs_, InFlight::kIgnored);
    answer_.pipeDreamPeriod = busiestOf(costs_, cut);
    answer_.pipeDream = bestOneForwardOneBackward(
        costs_, pipeDreamCut(costs_, InFlight::kOnePerProcessor).value_or(cut));
    answer_.contiguous = bestContiguous(costs_);
    offer(answer_.contiguous);
    run_.beginPhase("bound");
    answer_.bound = leastLoad(costs_);
    if (!answer_.best && isRefuted(costs_, longest(), tuning_.manyLabels, run_))
      answer_.bound = kNever;
    else
      raiseBound(tuning_.fewLabels);
    run_.beginPhase("MadPipe-DP");
    madPipe();
    AllocationTreeLimits limits = tuning_.firstAllocations;
    for (int64_t descents = tuning_.firstDescents; !isDone(); descents *= 2) {
      run_.beginPhase("all allocations");
      searchTree(limits, 1);
      if (answer_.descents >= tuning_.maxDescents) break;
      run_.beginPhase("annealing");
      for (int64_t i = 0; i < descents && !isDone(); ++i) descend();
      limits.nodes *= tuning_.allocationsFactor;
    }
    run_.beginPhase("bound");
    if (!isDone()) raiseBound(tuning_.manyLabels);
    searchTree(limits, tuning_.periodsOfAllocations);
    return std::move(answer_);
  }

 private:
  /// Makes `pattern` the best one if it is.
  bool offer(const std::optional<Pattern>& pattern) {
    if (!pattern) return false;
    if (answer_.best &&
        pattern->period >= answer_.best->period * (1 - kRounding))
      return false;
    answer_.best = pattern;
    renumber(answer_.best->allocation);
    run_.foundPlan(pattern->period / kSecond);
    return true;
  }

  /// Returns a period above one that any allocation that fits has a pattern
  /// for.
  double longest() const {
    double period = costs_.wholeLoad();
    for (int64_t layer = 1; layer < costs_.numLayers(); ++layer)
      period += costs_.transfer(layer);
    return 1.001 * period;
  }

  double bestPeriod() const {
    return answer_.best ? answer_.best->period : longest();
  }

  void raiseBound(const LabelLimits& limits) {
    answer_.bound = raisedBound(costs_, answer_.bound, bestPeriod(), limits,
                                run_.aside(kPartOfBound));
    run_.provedBound(answer_.bound / kSecond);
  }

  /// Tries to prove the best pattern if there is a chance.
  void prove() {
    const double high = bestPeriod();
    if (answer_.bound < high * (1 - tuning_.gapOfProof)) return;
    if (isRefuted(costs_, high * (1 - 2 * kRounding), tuning_.manyLabels,
                  run_.aside(kPartOfBound)))
      answer_.bound = high;
  }

  void madPipe() {
    if (run_.isOver()) return;
    const double first =
        answer_.contiguous ? answer_.contiguous->period : kNever;
    if (std::optional<SpecialProcessorPlan> plan = bestSpecialProcessor(
            costs_, tuning_.grids, first, run_.aside(kPartOfBound))) {
      answer_.madPipePeriod = plan->period;
      answer_.madPipe = schedulePattern(costs_, plan->allocation, kNever,
                                        tuning_.nodesPerPattern)
                            .pattern;
      if (offer(answer_.madPipe)) prove();
    }
  }

  /// Searches all allocations that beat the best pattern; if these are too
  /// many, those that beat shorter periods, which raises the bound.
  void searchTree(const AllocationTreeLimits& limits, int64_t rounds) {
    double low = answer_.bound, high = bestPeriod();
    for (double period = high; rounds > 0 && !isDone(); --rounds) {
      const AllocationTreeAnswer found =
          searchAllAllocations(costs_, period, limits, run_);
      if (offer(found.pattern)) high = bestPeriod();
      if (found.isComplete && !answer_.best && period >= high) {
        answer_.bound = kNever;
      } else if (found.isComplete) {
        low = answer_.bound = std::min(period, bestPeriod());
        run_.provedBound(low / kSecond);
      } else if (!found.pattern) {
        high = period;
      }
      period = (low + high) / 2;
    }
  }

  bool isDone() const {
    return run_.isOver() || std::isinf(answer_.bound) ||
           (answer_.best &&
            answer_.bound >= answer_.best->period * (1 - 4 * kRounding));
  }

  /// Returns the allocation from which a descent starts.
  Allocation start() {
    if (answer_.best && answer_.descents % 4 != 3)
      return answer_.best->allocation;
    return *pipeDreamCut(costs_, InFlight::kIgnored);
  }

  void descend() {
    const int64_t number = answer_.descents++;
    const double high = bestPeriod(), low = answer_.bound;
    // Some descents try to get to the bound, and others to get a little better.
    const double part = std::exp2(-static_cast<double>(number % kParts));
    const double target =
        std::max(low, high - std::max(part * (high - low), high * kLeastGain));
    const double reserve =
        static_cast<double>(number / kParts % kReserves) / (kReserves - 1);
    AllocationEnergy energy(costs_, target, reserve);
    std::set<std::vector<int64_t>> rejected;
    descendFrom(start(), energy, costs_.problem().processors,
                tuning_.firstHeat * std::max(part, tuning_.coolestPart),
                tuning_, random_, [&](const Allocation& allocation) {
                  std::vector<int64_t> key;
                  for (const auto& [begin, end, processor] : allocation)
                    key.insert(key.end(), {end, processor});
                  if (!rejected.insert(key).second) return false;
                  if (!schedule(allocation, target)) return false;
                  prove();
                  return true;
                });
  }

  /// Whether the allocation has a pattern of the period `target`. If so, offers
  /// its best one.
  bool schedule(const Allocation& allocation, double target) {
    if (run_.isOver()) return true;
    ++answer_.tried;
    std::optional<Pattern> pattern =
        patternWithin(costs_, allocation, target, tuning_.nodesPerTrial);
    if (!pattern) return false;
    offer(schedulePattern(costs_, allocation, pattern->period,
                          tuning_.nodesPerPattern)
              .pattern);
    offer(pattern);
    return true;
  }

  StageCosts costs_;
  const AllocationTuning& tuning_;
  const SearchRun& run_;
  std::mt19937_64 random_;
  AllocationAnswer answer_;
};

}  // namespace

AllocationAnswer searchAllocation(const ChainProblem& problem,
                                  const AllocationTuning& tuning,
                                  const SearchRun& run) {
  return AllocationSearch(problem, tuning, run).answer();
}

}  // namespace sbp::search
