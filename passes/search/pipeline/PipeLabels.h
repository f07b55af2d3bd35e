// Bounds of families whose stages have a worker each, by labels from the last
// stage to the first.
//
// A label has the bounds of the last stages (schedule::PipeBound) for one cut
// of the last units. Before it is put the next stage, with lower bounds of its
// times (RunPricing.h) for each run of units. Labels of the same stages, units
// and boundary are compared; the rest of the pipe can only add to them.
//
//   units     0 1 2 3 4 5 6 7
//   stage 2             |6 7     labels of 6, 5, 4, ...
//   stage 1       |3 4 5|        before each label of 6: 3 4 5, 4 5, 5, ...
//
// Where steps overlap, the period counts: the time of the busiest stage.

#ifndef PASSES_SEARCH_PIPELINE_PIPELABELS_H_
#define PASSES_SEARCH_PIPELINE_PIPELABELS_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/Bounds.h"
#include "passes/search/pipeline/FamilyTable.h"
#include "passes/search/pipeline/SearchedCase.h"
#include "passes/search/pipeline/SuffixBound.h"

namespace sbp::search {

/// The labels of a case and a family. Both must outlive this object; the family
/// must have one pipe.
class PipeLabels : public SuffixBound {
 public:
  PipeLabels(SearchedCase& searched, const FamilyTable& table);

  double prepare(double limit, int64_t grid, bool withFronts) override;
  double boundOf(const std::vector<PlacedStage>& first) const override;
  double boundOf(const std::vector<PlacedStage>& first,
                 const StageRun& next) const override;

 private:
  using Labels = std::vector<schedule::PipeBound>;

  /// Numbers of the weights of a stage's times of which a bound has least
  /// values (PipeLabels.cpp).
  struct StageTerms {
    WorkerStage facts;
    int64_t load = 0;
    int64_t forward = 0, pass = 0, passOnce = 0, inputs = 0, all = 0;
    std::vector<int64_t> inputsWaiting, allWaiting;
    double ways = 1;  // number of times that these add the way
  };

  /// Lower bounds of these weighted times for one run of units.
  struct LeastStage {
    double forward = 0, pass = 0, passOnce = 0, inputs = 0, all = 0;
    double inputsWaiting = 0, allWaiting = 0;
    double delay = 0;  // of messages to the next stage
  };

  StageTerms termsOf(const WorkerStage& stage);
  bool canBe(int64_t stage, int64_t begin, int64_t end) const;
  void addLabelsOf(int64_t stage, const StageRun& run, Labels& labels);
  void addTo(Labels& labels, const schedule::PipeBound& label) const;
  LeastStage leastOf(int64_t stage, const StageRun& run) const;
  schedule::PipeBound leastBefore(const schedule::PipeBound& later,
                                  int64_t stage, const LeastStage& least) const;
  schedule::PipeBound before(const schedule::PipeBound& later, int64_t stage,
                             const PlacedStage& placed) const;
  double delayAfter(const StageRun& run) const;
  /// Returns the labels after `run`, which is stage `stage`.
  const Labels& labelsAfter(int64_t stage, const StageRun& run) const;
  double least(const Labels& labels,
               const std::vector<PlacedStage>& first) const;

  SearchedCase& searched_;
  const FamilyTable& table_;
  int64_t numStages_, numUnits_;
  double n_;                       // micro-batches
  bool isWhole_ = true;            // no stage has its backward in halves
  std::vector<StageTerms> terms_;  // by stage
  double limit_ = 0;
  bool withFronts_ = false;
  /// Labels by stage, first unit and boundary before it. Stage 0 has one
  /// boundary, and the stage after the last one has one label.
  std::vector<std::vector<std::vector<Labels>>> labels_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_PIPELABELS_H_
