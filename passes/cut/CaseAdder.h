// Chooses which cases of a model's joint problem are worth pricing.

#ifndef PASSES_CUT_CASEADDER_H_
#define PASSES_CUT_CASEADDER_H_

#include <cstddef>
#include <map>
#include <optional>

#include "dialects/support/LLVM.h"
#include "passes/cut/CaseNumbers.h"
#include "passes/cut/PipelineProblem.h"
#include "passes/cut/PricedTimes.h"
#include "passes/search/run/SearchRun.h"

namespace sbp {

/// Adds cases to a problem that are worth pricing.
class CaseAdder {
 public:
  /// Number of pairs of groups and micro-batches, the best ones by a guess, of
  /// which neighbours are priced and the best plans are found. More of them
  /// give more pipelines to choose from, and take longer.
  static constexpr size_t kMostNumbers = 8;

  /// Leaves out cases that are probably slower than the best pipeline of
  /// `ofMore`, the times of layers that keep more, if they are given. A case is
  /// slower than that of layers that keep more, at least by the least factor
  /// that was seen so far. `problem`, `ofMore` and `run` must outlive this
  /// object.
  CaseAdder(PipelineProblem& problem, const PricedTimes* ofMore,
            const search::SearchRun& run)
      : problem_(problem), ofMore_(ofMore), run_(run) {}

  /// Adds the cases of `numbers`. Tries every second number of micro-batches,
  /// then inner groups, and then numbers of micro-batches next to the best
  /// ones.
  void addAll(const PipelineNumbers& numbers);

  /// Returns guesses of PipelineProblem::secondsOfWork() of the cases that
  /// addAll() left out.
  const std::map<CaseNumbers, double>& leftOut() const { return leftOut_; }

 private:
  /// Adds cases of `inner` groups. `known` are the numbers of other cases, the
  /// best ones first: a number of micro-batches is taken that is best for as
  /// many groups of another shape, or for any.
  void addInner(ArrayRef<GroupShape> inner, ArrayRef<CaseNumbers> known);

  void add(const CaseNumbers& numbers);

  PipelineProblem& problem_;
  const PricedTimes* ofMore_;
  const search::SearchRun& run_;
  std::map<CaseNumbers, double> leftOut_;
  /// The least factor so far by which the work of a case takes longer than if
  /// layers keep more.
  std::optional<double> slowdown_;
};

}  // namespace sbp

#endif  // PASSES_CUT_CASEADDER_H_
