// Cuts a chain of units into stages: the optimisation problem, without any IR.
//
// A unit is an op or a layer of a model. A stage is a non-empty run of
// consecutive units. A training step runs several micro-batches. It takes the
// time of its busiest stage, plus the time to fill the pipeline, which depends
// little on the cut. So the best cut minimises the time of the busiest stage:
//
//   units      2   1   1   1   3         seconds per step
//   transfers    1   1   1   1           between neighbours, if cut there
//
//   2 1 1 | 1 3      4 + 1, 1 + 4        the best cut into two stages: 5
//
// A stage also has to fit into the memory of a device. It needs the sum of
//
//   persistent     what its units keep all the time, weights included
//   weights        the weights again, for each copy beyond the first that the
//                  schedule needs
//   activations    what its units keep from forward to backward, for each
//                  micro-batch in flight
//   transient      the most that one unit needs in addition while it runs
//
// There are several plans for the units: some are faster, others take less
// memory. All units of a stage run by the same plan, the fastest one that fits.
// Different stages may have different plans.

#ifndef PASSES_CUT_STAGECUT_H_
#define PASSES_CUT_STAGECUT_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace sbp {

/// A tensor that a unit keeps. Earlier units may keep it too; a stage with
/// several of these units stores the tensor once.
struct KeptTensor {
  double bytes = 0;
  /// Index of the last unit before this one that keeps the tensor; -1 if none
  /// does.
  int64_t keptBefore = -1;
};

/// The time and memory of one unit under one plan.
struct UnitPrice {
  double seconds = 0;                   // per training step
  std::vector<KeptTensor> persistent;   // kept all the time, weights included
  std::vector<KeptTensor> weights;      // kept again per further copy
  std::vector<KeptTensor> activations;  // kept per micro-batch in flight
  double transientBytes = 0;            // in addition, while the unit runs
};

/// Numbers of micro-batches and of copies of weights that a stage keeps at
/// once. In a stage that recomputes its forward, a micro-batch is in flight
/// only from the recomputation to the end of its backward.
struct StageLoad {
  double inFlight = 1;  // number of micro-batches
  double copies = 1;    // number of copies of its weights
};

/// The problem: a chain of units to cut into transfers.size() + 1 stages.
struct UnitChain {
  /// Price of each unit by each plan: `plans[plan][unit]`.
  std::vector<std::vector<UnitPrice>> plans;
  /// `transfers[s][u]`: seconds per step that the transfer between stages s and
  /// s + 1 takes on both of them, if stage s + 1 begins with unit u.
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
/// included. In the cut, no stage takes more than `memoryBytes` bytes per
/// device. Of several best cuts, returns one with the least total time of
/// transfers. Returns nullopt if no cut fits, or if there are fewer units than
/// stages. Takes time proportional to plans x stages x units^2.
std::optional<StageCut> cheapestCut(const UnitChain& chain, double memoryBytes);

/// The memory of a stage, in bytes per device.
struct StageMemory {
  int64_t stage = 0, begin = 0, end = 0;  // its units: begin, ..., end - 1
  double weights = 0;                     // all copies of them
  double state = 0;        // optimiser state and sums of gradients
  double activations = 0;  // per micro-batch in flight
  double inFlight = 0;     // number of micro-batches
  double transient = 0;    // in addition, while a unit runs

  double bytes() const {
    return weights + state + inFlight * activations + transient;
  }
};

/// Returns the stage that needs most in the cut that fits into the least
/// memory. The chain must have at least as many units as stages.
StageMemory leastMemory(const UnitChain& chain);

}  // namespace sbp

#endif  // PASSES_CUT_STAGECUT_H_
