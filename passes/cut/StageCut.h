// Cuts a chain of units into stages: the optimisation problem, without any IR.
//
// A unit is an op or a layer of a model. A stage is a non-empty run of
// consecutive units. A training step goes through several micro-batches. It
// takes as long as its busiest stage, and the time to fill the pipeline, which
// depends little on the cut. So the best cut is the one whose busiest stage has
// the least to do:
//
//   units      2   1   1   1   3         seconds per step
//   transfers    1   1   1   1           between neighbours, if cut there
//
//   2 1 1 | 1 3      4 + 1, 1 + 4        the best cut into two stages: 5
//
// A stage also has to fit into the memory of a device. It needs the sum of
//
//   persistent     what its units keep all the time, with their weights
//   weights        the weights again, for each further copy that the schedule
//                  needs
//   activations    what its units keep from forward to backward, for each
//                  micro-batch in flight
//   transient      the most that one unit needs in addition while it runs
//
// There are several plans for the units: some are faster, others take less
// memory. All units of a stage run by the same plan: the fastest one that fits.

#ifndef PASSES_CUT_STAGECUT_H_
#define PASSES_CUT_STAGECUT_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace sbp {

/// A tensor that a unit keeps, and possibly earlier units too. A stage that has
/// several of these units keeps the tensor once.
struct KeptTensor {
  double bytes = 0;
  /// Index of the last unit before this one that keeps the tensor; -1 if none
  /// does.
  int64_t keptBefore = -1;
};

/// The time and memory of one unit, if its stage runs by a certain plan.
struct UnitPrice {
  double seconds = 0;                   // per training step
  std::vector<KeptTensor> persistent;   // kept all the time, with its weights
  std::vector<KeptTensor> weights;      // kept again in each further copy
  std::vector<KeptTensor> activations;  // kept per micro-batch in flight
  double transientBytes = 0;            // in addition, while the unit runs
};

/// Numbers of micro-batches and of copies of weights that a stage keeps at
/// once. If a stage recomputes its forward, a micro-batch counts from the
/// recomputation to the end of its backward.
struct StageLoad {
  double inFlight = 1;  // number of micro-batches
  double copies = 1;    // number of copies of its weights
};

/// The problem: a chain of units to cut into transfers.size() + 1 stages.
struct UnitChain {
  /// Price of each unit by each plan: `plans[plan][unit]`.
  std::vector<std::vector<UnitPrice>> plans;
  /// Seconds per step that the transfer between stages s and s + 1 takes on
  /// both of them, if unit u is the first of stage s + 1: `transfers[s][u]`.
  std::vector<std::vector<double>> transfers;
  std::vector<StageLoad> loads;  // by stage

  int64_t numUnits() const { return static_cast<int64_t>(plans[0].size()); }
  int64_t numStages() const {
    return static_cast<int64_t>(transfers.size()) + 1;
  }
};

/// A cut of a chain into stages.
struct StageCut {
  std::vector<int64_t> begins;  // first unit of each stage
  double seconds = 0;           // per step, of the busiest stage
};

/// Returns the cut whose busiest stage takes the least time, transfers
/// included, among the cuts in which no stage takes more than `memoryBytes` per
/// device. If several cuts are equally good, returns one with the least total
/// time of transfers. Returns nullopt if no cut fits, or if there are fewer
/// units than stages. Takes time proportional to plans x stages x units^2.
std::optional<StageCut> cheapestCut(const UnitChain& chain, double memoryBytes);

/// Returns the least memory, in bytes per device, into which a cut fits. The
/// chain has at least as many units as stages.
double leastMemory(const UnitChain& chain);

}  // namespace sbp

#endif  // PASSES_CUT_STAGECUT_H_
