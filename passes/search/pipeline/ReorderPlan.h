// A plan whose tasks are run in another order than its family says.
//
// Families are made for equal stages. Where stages differ, or where memory
// allows more micro-batches in flight than the family keeps, another order of
// the same tasks may be faster (passes/schedule/order).

#ifndef PASSES_SEARCH_PIPELINE_REORDERPLAN_H_
#define PASSES_SEARCH_PIPELINE_REORDERPLAN_H_

#include <optional>

#include "passes/schedule/Table.h"
#include "passes/schedule/order/SynthesiseOrder.h"
#include "passes/search/pipeline/JointPlan.h"
#include "passes/search/pipeline/JointProblem.h"

namespace sbp::search {

/// A plan, and the table to run it by.
struct ReorderedPlan {
  JointPlan plan;         // its family has the same tasks
  schedule::Table table;  // with updates
  JointCost cost;         // by this table
  /// No order of the plan's tasks that fits takes less than this many seconds.
  double bound = 0;
};

/// Returns a faster table for `plan` than its family's, within the memory of
/// `problem`. Returns none if the family's table takes at most 1 + `leastGap`
/// times as long as a bound of all orders, if its steps overlap, or if no
/// faster table is found. The plan must be one that verify() accepts.
std::optional<ReorderedPlan> reorderPlan(
    const JointProblem& problem, const JointPlan& plan, double leastGap,
    const schedule::SynthesisTuning& tuning);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_REORDERPLAN_H_
