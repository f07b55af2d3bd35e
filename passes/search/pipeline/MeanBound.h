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
// place of `once`. A third sum has a price per byte: D workers have D times the
// memory of one, so
//
//   sum over stages of  N t + once + ... + price * bytes  -  price * D * memory
//
// is a lower bound too. It tells what several stages of a worker cost if they
// share its memory. All sums are least by dynamic programming over stages and
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

  /// Whether sums are found by stages. With very many units, prepare() takes
  /// the least of each unit in any stage instead, and boundOf must not be
  /// called.
  bool isByStages() const;

  double boundOf(const std::vector<PlacedStage>& first) const override;
  double boundOf(const std::vector<PlacedStage>& first,
                 const StageRun& next) const override;

 private:
  /// A sum over the stages, as described at the head of this file.
  struct Sum {
    bool hasWayBack = false;  // in place of `once`
    double pricePerByte = 0;  // of each worker
    double offset = 0;        // added once
    /// Least sums of the first units, by their number, whatever the cut.
    std::vector<double> least;
  };
  /// The weights of a stage's times in each of the sums.
  struct StageTerms {
    std::vector<TimeWeights> weights;  // by sum
    std::vector<int64_t> numbers;      // of these weights
    double numWorkers = 0;             // that run the stage
    StageLoad meanLoad, leastLoad;     // over these workers
    int64_t meanLoadNumber = 0, leastLoadNumber = 0;
    double microBatches = 0;  // on all workers
    int64_t onWorker = 0;     // the work of the stage on one worker
  };
  using Rest = std::vector<double>;  // seconds of later stages, by sum

  StageTerms termsOf(int64_t stage) const;
  void addSums();
  double leastOfUnit(int64_t unit, const Sum& sum) const;
  double bestPricePerByte() const;
  void improve(int64_t stage, const StageRun& run, Rest& rest) const;
  const Rest& restAfter(int64_t stage, const StageRun& run) const;
  double meanOf(const std::vector<PlacedStage>& first, const Rest& rest) const;
  /// Returns the work of the busiest worker in the stages `first`.
  double busiest(const std::vector<PlacedStage>& first) const;

  SearchedCase& searched_;
  const FamilyTable& table_;
  int64_t numStages_, numUnits_;
  double numWorkers_;
  std::vector<StageTerms> terms_;  // by stage
  std::vector<Sum> sums_;
  double limit_ = 0;
  bool withFronts_ = false;
  /// Least sums of the stages from a stage on, by stage, first unit, boundary.
  std::vector<std::vector<std::vector<Rest>>> rests_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_MEANBOUND_H_
