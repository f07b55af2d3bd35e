#include "passes/search/pipeline/SearchJointPlan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "passes/search/pipeline/CaseSearch.h"
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
    for (const auto& [least, index] : casesInOrder()) searchCase(index, least);
    return answer();
  }

 private:
  /// Returns the cases in the order of their bounds by least times alone, which
  /// come first in the pairs.
  std::vector<std::pair<double, int64_t>> casesInOrder() const {
    std::vector<std::pair<double, int64_t>> order;
    for (size_t i = 0; i < problem_.cases.size(); ++i) {
      const JointCase& ofCase = problem_.cases[i];
      const double least = LeastTimes(problem_, ofCase).all.back();
      order.emplace_back(least * static_cast<double>(ofCase.microBatches) /
                             static_cast<double>(ofCase.workers),
                         static_cast<int64_t>(i));
    }
    std::sort(order.begin(), order.end());
    return order;
  }

  void searchCase(int64_t index, double least) {
    if (problem_.cases[index].numStages() > problem_.numUnits()) return;
    SearchedCase searched(problem_, index, runs_, tuning_, work_);
    for (size_t family = 0; family < problem_.families.size(); ++family) {
      CaseBound result = {index, static_cast<int64_t>(family), least,
                          kInfinite};
      const FamilyTable* table =
          tables_.of(result.family, problem_.cases[index]);
      if (!table) continue;
      if (least < incumbent_.seconds()) searchFamily(searched, *table, result);
      results_.push_back(result);
    }
  }

  void searchFamily(SearchedCase& searched, const FamilyTable& table,
                    CaseBound& result) {
    std::unique_ptr<SuffixBound> suffix;
    if (table.isOnePipe())
      suffix = std::make_unique<PipeLabels>(searched, table);
    else
      suffix = std::make_unique<MeanBound>(searched, table);
    CaseSearch search(searched, result.family, table, *suffix);
    double gap = tuning_.firstGap, base = result.bound;
    while (result.bound < incumbent_.seconds()) {
      const double wanted =
          base > 0 && gap < kMostGap ? base * (1 + gap) : kInfinite;
      const double limit = std::min(wanted, incumbent_.seconds());
      gap *= tuning_.gapFactor;
      const double bound = suffix->prepare(limit);
      result.bound = std::max(result.bound, std::min(bound, limit));
      if (bound >= limit) {
        if (limit == kInfinite) break;  // nothing fits
        continue;
      }
      const double before = search.bestSeconds();
      const bool isComplete = search.run(limit, incumbent_);
      result.best = search.bestSeconds();
      if (isComplete)
        result.bound =
            std::max(result.bound, std::min(limit, incumbent_.seconds()));
      // A search that is cut short is not repeated if it has found plans, or if
      // it had no limit.
      else if (search.bestSeconds() < before || limit < wanted ||
               limit == kInfinite)
        break;
      if (limit == kInfinite) break;
    }
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

double JointAnswer::gap() const {
  return plan && cost.seconds > 0 ? (cost.seconds - bound) / cost.seconds : 0;
}

CaseBound JointAnswer::boundOf(
    const std::function<bool(const CaseBound&)>& isMeant) const {
  CaseBound least = {-1, -1, kInfinite, kInfinite};
  for (const CaseBound& each : cases) {
    if (!isMeant(each)) continue;
    const double best = std::min(least.best, each.best);
    if (each.bound < least.bound) least = each;
    least.best = best;
  }
  return least;
}

JointAnswer searchJointPlan(const JointProblem& problem,
                            const JointSearchTuning& tuning,
                            const std::vector<JointPlan>& known) {
  return JointSearch(problem, tuning).run(known);
}

}  // namespace sbp::search
