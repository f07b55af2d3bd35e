// An answer of the joint problem (JointProblem.h), and what it costs.

#ifndef PASSES_SEARCH_PIPELINE_JOINTPLAN_H_
#define PASSES_SEARCH_PIPELINE_JOINTPLAN_H_

#include <cstdint>
#include <vector>

namespace sbp::search {

/// A plan: how groups lie in the machine, the schedule, the cut, and a way to
/// run each unit.
struct JointPlan {
  int64_t chosenCase = 0;        // index in JointProblem::cases
  int64_t family = 0;            // index in JointProblem::families
  std::vector<int64_t> ends;     // by stage: first unit after it
  std::vector<int64_t> options;  // by unit: index in JointCase::options

  int64_t begin(int64_t stage) const { return stage ? ends[stage - 1] : 0; }
};

/// The time and memory of a plan.
struct JointCost {
  /// Seconds per training step: the makespan of the family's table, or its
  /// period if steps overlap.
  double seconds = 0;
  std::vector<double> bytes;  // per device, by worker
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_JOINTPLAN_H_
