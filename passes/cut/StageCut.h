// Where a chain of units is cut into stages: the problem, without any IR.
//
// A unit is an op or a layer of a model. Stages are runs of units, none empty,
// in order. A step of training goes through N micro-batches, and takes as long
// as its busiest stage (but for filling the pipeline, which no cut changes
// much); so of all cuts the one is wanted whose busiest stage has least to do:
//
//   units      2   1   1   1   3         seconds per step
//   transfers    1   1   1   1           between neighbours, if cut there
//
//   2 1 1 | 1 3      4 + 1, 1 + 4        the best of two stages: 5
//
// A stage also has to fit into the memory of a device. It keeps the tensors
// that its units hold all the time, weights in as many copies as the schedule
// has, what they stash of each micro-batch that is between its forward and its
// backward, and the most that one of them needs besides while it runs.
//
// A stage may run by several plans, faster or with less memory, but all its
// units by the same one: it takes the fastest that fits.

#ifndef PASSES_CUT_STAGECUT_H_
#define PASSES_CUT_STAGECUT_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace sbp {

/// A tensor that a unit keeps, and an earlier one perhaps as well: a stage that
/// has both keeps it once.
struct KeptTensor {
  double bytes = 0;
  /// The last unit before this one that keeps it; -1 if there is none.
  int64_t keptBefore = -1;
};

/// What one unit takes if its stage runs by a certain plan.
struct UnitPrice {
  double seconds = 0;               // per step
  std::vector<KeptTensor> held;     // all the time, weights among them
  std::vector<KeptTensor> weights;  // again in each further copy
  std::vector<KeptTensor> stashed;  // per micro-batch under way
  double transientBytes = 0;        // besides, while it runs
};

/// How much of its own a stage keeps at once.
struct StageLoad {
  double underWay = 1;  // micro-batches
  double copies = 1;    // of its weights
};

struct UnitChain {
  /// Per plan, the prices of all units.
  std::vector<std::vector<UnitPrice>> plans;
  /// What both sides of the cut behind stage s pay per step, in seconds, if
  /// unit u is the first of stage s + 1: `transfers[s][u]`.
  std::vector<std::vector<double>> transfers;
  std::vector<StageLoad> loads;  // per stage

  int64_t numUnits() const { return static_cast<int64_t>(plans[0].size()); }
  int64_t numStages() const {
    return static_cast<int64_t>(transfers.size()) + 1;
  }
};

struct StageCut {
  std::vector<int64_t> begins;  // per stage, its first unit
  double seconds = 0;           // of the busiest stage
};

/// The cut whose busiest stage takes the least time, of those with no stage
/// that takes more than `memoryBytes`; of several, one in which least time goes
/// into transfers. Nothing if none fits. Takes plans x stages x units^2 steps.
std::optional<StageCut> cheapestCut(const UnitChain& chain, double memoryBytes);

/// With how much memory there is a cut, at least. There are no more stages than
/// units.
double leastMemory(const UnitChain& chain);

}  // namespace sbp

#endif  // PASSES_CUT_STAGECUT_H_
