// The joint planning problem of a pipeline, without any IR: groups, depth,
// micro-batches, schedule, cut, and a way to run each unit, chosen together.
//
// A model is a chain of units of few kinds. A case says how the machine is cut
// into D groups, the workers of a pipeline, and into how many micro-batches N a
// batch is. In each case, a kind of unit has several options: placements, ZeRO,
// recomputation. A family of schedules (passes/schedule/families) gives a table
// for D and N. A plan cuts the units into stages and chooses an option for each
//
//   units     e  l  l  l  l  l  h      kinds: e, l, h
//   stages   |    0    |   1   | 2     D = 3 workers
//   options   1  0  0  0  2  2  0
//
// A stage takes the sums of its units' times. Where the layouts of two
// neighbours differ, `move` is added to the forward and the backward of the
// later unit. At a cut, `cut` is added to the forward and backward of both
// sides. The step takes the makespan of the family's table with these times,
// and with `once` as the update after the last backward.
//
// A worker with q micro-batches of a stage in flight, r of them between the
// halves of their backward, and v versions of its weights needs
//
//   sum of held + (v - 1) weights + q stash + r residue, plus largest transient
//
// over the units of its stages. q, r and v are read off the table
// (passes/schedule/Slots.h).

#ifndef PASSES_SEARCH_PIPELINE_JOINTPROBLEM_H_
#define PASSES_SEARCH_PIPELINE_JOINTPROBLEM_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "passes/schedule/families/FamilyText.h"
#include "passes/search/pipeline/JointCase.h"
#include "passes/search/pipeline/JointPlan.h"

namespace sbp::search {

/// The problem, as described at the head of this file.
struct JointProblem {
  std::vector<int64_t> kinds;  // by unit
  std::vector<JointCase> cases;
  /// Families to choose from, each once. Depth, micro-batches and chunks of
  /// their shapes are those of the case.
  std::vector<schedule::ChosenFamily> families;
  double memory = 0;  // bytes per device

  int64_t numUnits() const { return static_cast<int64_t>(kinds.size()); }
  const std::vector<UnitOption>& optionsOf(const JointCase& ofCase,
                                           int64_t unit) const {
    return ofCase.options[kinds[unit]];
  }

  /// Returns the memory, and a little more: sums of bytes may differ by
  /// rounding if they are added in another order.
  double room() const { return memory * (1 + 1e-12); }

  /// Returns the problem with `others` as its cases.
  JointProblem withCases(std::vector<JointCase> others) const {
    return {kinds, std::move(others), families, memory};
  }

  /// Fails if the problem is not sound: a number is negative or not finite, an
  /// index is out of range, a matrix has the wrong size, or there is nothing to
  /// choose from.
  absl::Status check() const;

  /// Returns the cost of `plan`. Fails if the plan is not one of this problem,
  /// if the family has no table for its case, or if a worker needs more than
  /// `memory` bytes. The problem must have passed check().
  absl::StatusOr<JointCost> verify(const JointPlan& plan) const;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_JOINTPROBLEM_H_
