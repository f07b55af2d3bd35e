// The times and bytes of a stage, sums over its units.

#ifndef PASSES_SEARCH_PIPELINE_STAGECOST_H_
#define PASSES_SEARCH_PIPELINE_STAGECOST_H_

#include <algorithm>
#include <vector>

#include "passes/search/pipeline/JointProblem.h"

namespace sbp::search {

/// The fields of UnitOption for a whole stage.
struct StageCost {
  double forward = 0, input = 0, weight = 0, once = 0;  // seconds
  double held = 0, weights = 0, stash = 0, residue = 0, transient = 0;  // bytes
  double delay = 0;  // of messages to the next stage and back, seconds each

  void add(const UnitOption& unit) {
    forward += unit.forward;
    input += unit.input;
    weight += unit.weight;
    once += unit.once;
    held += unit.held;
    weights += unit.weights;
    stash += unit.stash;
    residue += unit.residue;
    transient = std::max(transient, unit.transient);
  }

  /// Adds seconds of communication, to each direction.
  void addBothWays(double seconds) {
    forward += seconds;
    input += seconds;
  }
};

/// Returns the costs of the stages of `plan`, which must be one of `problem`.
std::vector<StageCost> stageCosts(const JointProblem& problem,
                                  const JointPlan& plan);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_STAGECOST_H_
