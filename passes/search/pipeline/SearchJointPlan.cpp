#include "passes/search/pipeline/SearchJointPlan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "passes/search/pipeline/CaseSearch.h"
#include "passes/search/pipeline/CutDescent.h"
#include "passes/search/pipeline/FamilyTable.h"
#include "passes/search/pipeline/MeanBound.h"
#include "passes/search/pipeline/PipeLabels.h"
#include "passes/search/pipeline/SearchedCase.h"

namespace sbp::search {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The tables of a search, each made once. A family without a table for a case
/// has nullptr.
class FamilyTables {
 public:
  explicit FamilyTables(const JointProblem& problem) : problem_(problem) {}

  const FamilyTable* of(int64_t family, const JointCase& ofCase) {
    const auto [entry, isNew] = tables_.try_emplace(
        {family, ofCase.workers, ofCase.chunks, ofCase.microBatches}, nullptr);
    if (isNew)
      if (auto table = FamilyTable::make(problem_.families[family], ofCase);
          table.ok())
        entry->second = *std::move(table);
    return entry->second.get();
  }

 private:
  const JointProblem& problem_;
  std::map<std::tuple<int64_t, int64_t, int64_t, int64_t>,
           std::unique_ptr<FamilyTable>>
      tables_;
};

class JointSearch {
 public:
  JointSearch(const JointProblem& problem, const JointSearchTuning& tuning)
      : problem_(problem),
        tuning_(tuning),
        runs_(problem.kinds),
        tables_(problem) {}

  JointAnswer run(const std::vector<JointPlan>& known) {
    for (const JointPlan& plan : known)
      if (auto cost = problem_.verify(plan);
          cost.ok() && cost->seconds < incumbent_.seconds()) {
        incumbent_.plan = plan;
        incumbent_.cost = *std::move(cost);
      }
    incumbent_.maxCuts = tuning_.maxReordered;
    for (int64_t index : casesInOrder()) searchCase(index);
    JointAnswer found = answer();
    for (const auto& [seconds, plan] : incumbent_.cuts) reorder(plan, found);
    return found;
  }

 private:
  /// Returns the seconds that workers compute in the mean if all units take
  /// their least times: a lower bound of all plans of the case.
  double leastMean(const JointCase& ofCase) const {
    return LeastTimes(problem_, ofCase).all.back() *
           static_cast<double>(ofCase.microBatches) /
           static_cast<double>(ofCase.workers);
  }

  /// Returns how much longer a pipe takes than its workers compute, if its
  /// stages are equal and its schedule is 1f1b, or interleaved. A guess, which
  /// decides where searches begin.
  static double guessedRamp(const JointCase& ofCase) {
    return 1 + static_cast<double>(ofCase.workers - 1) /
                   static_cast<double>(ofCase.microBatches * ofCase.chunks);
  }

  /// Returns the cases, those that are probably fast first.
  std::vector<int64_t> casesInOrder() const {
    std::vector<std::pair<double, int64_t>> order;
    for (size_t i = 0; i < problem_.cases.size(); ++i)
      order.emplace_back(
          leastMean(problem_.cases[i]) * guessedRamp(problem_.cases[i]), i);
    std::sort(order.begin(), order.end());
    std::vector<int64_t> cases;
    for (const auto& [seconds, index] : order) cases.push_back(index);
    return cases;
  }

  void searchCase(int64_t index) {
    const JointCase& ofCase = problem_.cases[index];
    if (ofCase.numStages() > problem_.numUnits()) return;
    const double least = leastMean(ofCase);
    SearchedCase searched(problem_, index, runs_, tuning_, work_);
    for (size_t family = 0; family < problem_.families.size(); ++family) {
      CaseBound result = {index, static_cast<int64_t>(family), least,
                          kInfinite};
      if (least < incumbent_.seconds()) {
        const FamilyTable* table = tables_.of(result.family, ofCase);
        if (!table) continue;
        searchFamily(searched, *table, result);
      }
      results_.push_back(result);
    }
  }

  void searchFamily(SearchedCase& searched, const FamilyTable& table,
                    CaseBound& result) {
    if (table.isOnePipe()) {
      PipeLabels labels(searched, table);
      if (findBound(searched, table, labels, result))
        searchUnderLimits(searched, table, labels, tuning_.firstGap, result);
      return;
    }
    MeanBound mean(searched, table);
    if (!findBound(searched, table, mean, result)) return;
    result.best =
        descendFromEvenCut(searched, result.family, table, incumbent_);
    // Where all cuts are too many to be tried, the mean tells too little of
    // good ones. Small limits would find no plans.
    if (mean.isByStages() && numCuts(table.numStages()) <= tuning_.maxCuts)
      searchUnderLimits(searched, table, mean, kMostGap, result);
  }

  /// Returns the number of cuts into `numStages` stages, approximately.
  double numCuts(int64_t numStages) const {
    double number = 1;
    for (int64_t i = 1; i < numStages; ++i)
      number *=
          static_cast<double>(problem_.numUnits() - i) / static_cast<double>(i);
    return number;
  }

  /// Searches for plans under growing limits. Under small limits few plans are
  /// left, so that the search for them is short; but if the limit is too small,
  /// none is found.
  void searchUnderLimits(SearchedCase& searched, const FamilyTable& table,
                         SuffixBound& suffix, double firstGap,
                         CaseBound& result) {
    CaseSearch search(searched, result.family, table, suffix);
    for (double gap = firstGap; result.bound < incumbent_.seconds();
         gap *= tuning_.gapFactor) {
      const double wanted =
          gap < kMostGap ? result.bound * (1 + gap) : kInfinite;
      const double limit = std::min(wanted, incumbent_.seconds());
      const double before = search.bestSeconds();
      const double least = suffix.prepare(limit, 1, true);
      result.bound = std::max(result.bound, std::min(least, limit));
      if (least < limit && !search.run(limit, incumbent_)) {
        // A search that is cut short is repeated if it has found no plan.
        if (search.bestSeconds() < before || limit < wanted) break;
      } else {
        result.bound =
            std::max(result.bound, std::min(limit, incumbent_.seconds()));
      }
      if (limit == kInfinite) break;
    }
    result.best = std::min(result.best, search.bestSeconds());
  }

  /// Raises the bound of `result` to the least label. Returns whether it is
  /// below the incumbent. Labels for cuts at multiples of many units come
  /// first, since their least one limits the labels for others.
  bool findBound(const SearchedCase& searched, const FamilyTable& table,
                 SuffixBound& suffix, CaseBound& result) {
    int64_t grid = 1;
    while (grid * tuning_.gridPerStage * table.numStages() * 2 <=
           problem_.numUnits())
      grid *= 2;
    // Without an incumbent, guesses limit the first labels.
    double limit = incumbent_.seconds(), least = kInfinite;
    for (double guess = 2 * result.bound * guessedRamp(searched.ofCase);
         least == kInfinite && guess < limit && guess > 0; guess *= 4)
      least = suffix.prepare(guess, grid, false);
    for (; grid > 0; grid /= 2) {
      limit = std::min(limit, least * (1 + kRounding));
      least = suffix.prepare(limit, grid, false);
    }
    result.bound = std::max(result.bound, std::min(least, limit));
    return result.bound < incumbent_.seconds();
  }

  /// Takes a faster order of the tasks of `plan`, if there is one, into
  /// `found`.
  void reorder(const JointPlan& plan, JointAnswer& found) const {
    std::optional<ReorderedPlan> reordered =
        reorderPlan(problem_, plan, tuning_.leastOrderGap, tuning_.ordering);
    if (!reordered) return;
    const double best =
        found.reordered ? found.reordered->cost.seconds : found.cost.seconds;
    if (reordered->cost.seconds < best) found.reordered = std::move(reordered);
  }

  JointAnswer answer() {
    JointAnswer answer;
    answer.bound = incumbent_.seconds();
    answer.cases = std::move(results_);
    for (size_t i = 0; i < answer.cases.size(); ++i)
      if (answer.cases[i].bound < answer.bound) {
        answer.bound = answer.cases[i].bound;
        answer.boundHolder = static_cast<int64_t>(i);
      }
    answer.plan = std::move(incumbent_.plan);
    answer.cost = std::move(incumbent_.cost);
    answer.work = work_;
    return answer;
  }

  /// Part of a limit by which it is raised, so that what is at the limit is
  /// found.
  static constexpr double kRounding = 1e-9;
  /// Largest gap of a limit. Above, there is no limit.
  static constexpr double kMostGap = 1 << 20;

  const JointProblem& problem_;
  const JointSearchTuning& tuning_;
  SearchWork work_;
  UnitRuns runs_;
  FamilyTables tables_;
  Incumbent incumbent_;
  std::vector<CaseBound> results_;
};

}  // namespace

JointAnswer searchJointPlan(const JointProblem& problem,
                            const JointSearchTuning& tuning,
                            const std::vector<JointPlan>& known) {
  return JointSearch(problem, tuning).run(known);
}

}  // namespace sbp::search
