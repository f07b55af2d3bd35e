// Bounds of families whose workers have several stages, or whose stages have
// several workers: the busiest worker takes the mean at least.
//
// A worker starts when a micro-batch has come through all stages before its
// first stage s. So D workers together take at least
//
//   sum over stages of  N t + once + (number of workers that start later) F
//
// and the makespan is at least a D-th of it. Where no backward is in halves,
// the way back to stage 0 after a worker's last task is counted likewise, in
// place of `once`. Both sums are least by dynamic programming over stages and
// units.

#ifndef PASSES_SEARCH_PIPELINE_MEANBOUND_H_
#define PASSES_SEARCH_PIPELINE_MEANBOUND_H_

#include <cstdint>
#include <vector>

#include "passes/search/pipeline/FamilyTable.h"
#include "passes/search/pipeline/SearchedCase.h"
#include "passes/search/pipeline/SuffixBound.h"

namespace sbp::search {

/// The bounds of a case and a family. Both must outlive this object.
class MeanBound : public SuffixBound {
 public:
  MeanBound(SearchedCase& searched, const FamilyTable& table);

  double prepare(double limit, int64_t grid, bool withFronts) override;
  double boundOf(const std::vector<PlacedStage>& first) const override;
  double boundOf(const std::vector<PlacedStage>& first,
                 const StageRun& next) const override;

 private:
  /// The weights of a stage's times in each of the sums.
  struct StageTerms {
    int64_t load = 0;
    std::vector<TimeWeights> sums;
    std::vector<int64_t> sumNumbers;
    int64_t onWorker = 0;  // the work of the stage on one worker
  };
  using Rest = std::vector<double>;  // seconds of later stages, by sum

  StageTerms termsOf(int64_t stage) const;
  void improve(int64_t stage, const StageRun& run, Rest& rest) const;
  const Rest& restAfter(int64_t stage, const StageRun& run) const;
  double meanOf(const std::vector<PlacedStage>& first, const Rest& rest) const;
  /// Returns the work of the busiest worker in the stages `first`.
  double busiest(const std::vector<PlacedStage>& first) const;

  SearchedCase& searched_;
  const FamilyTable& table_;
  int64_t numStages_, numUnits_, numSums_;
  double numWorkers_;
  std::vector<StageTerms> terms_;  // by stage
  double limit_ = 0;
  bool withFronts_ = false;
  /// Least sums of the stages from a stage on, by stage, first unit, boundary.
  std::vector<std::vector<std::vector<Rest>>> rests_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_MEANBOUND_H_
