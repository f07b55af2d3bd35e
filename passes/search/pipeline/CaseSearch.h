// The search for the best plan of one case and one family: stage by stage from
// the first to the last, depth first, the most promising first.

#ifndef PASSES_SEARCH_PIPELINE_CASESEARCH_H_
#define PASSES_SEARCH_PIPELINE_CASESEARCH_H_

#include <cstdint>
#include <vector>

#include "passes/search/pipeline/FamilyTable.h"
#include "passes/search/pipeline/Incumbent.h"
#include "passes/search/pipeline/SearchedCase.h"
#include "passes/search/pipeline/SuffixBound.h"

namespace sbp::search {

/// A search for plans of a case and a family.
class CaseSearch {
 public:
  /// All arguments must outlive this object.
  CaseSearch(SearchedCase& searched, int64_t family, const FamilyTable& table,
             const SuffixBound& suffix);

  /// Searches for plans that take less than `limit` seconds, and puts the best
  /// one into `incumbent` if it is better. `suffix` must have been prepared
  /// with this limit. Returns whether no plan below the limit and the incumbent
  /// was left out.
  bool run(double limit, Incumbent& incumbent);

  /// Returns the seconds of the best plan of this case and family that has been
  /// simulated; infinite if none has.
  double bestSeconds() const { return bestSeconds_; }

 private:
  /// A choice of the next stage.
  struct Child {
    double bound = 0;
    double imbalance = 0;  // breaks ties
    StageRun run;
  };

  void extend();
  void tryRun(const StageRun& run);
  std::vector<StageWay> waysOf(const StageRun& run);
  bool fits() const;
  double imbalanceOf(const StageRun& run) const;
  void simulate();
  bool isSpent() const;

  SearchedCase& searched_;
  int64_t family_;
  const FamilyTable& table_;
  const SuffixBound& suffix_;
  std::vector<FrontKind> kinds_;   // by stage
  std::vector<int64_t> workerOf_;  // by stage: its first worker
  bool isUniform_ = true;          // all workers of a stage have the same load

  double limit_ = 0, bestSeconds_;
  int64_t nodes_ = 0, tables_ = 0;
  bool isComplete_ = true;
  Incumbent* incumbent_ = nullptr;
  std::vector<PlacedStage> placed_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_CASESEARCH_H_
