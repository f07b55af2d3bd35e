// List scheduling: a free worker starts the first task of a list of priorities
// that can start.

#ifndef PASSES_SCHEDULE_ORDER_LISTSCHEDULING_H_
#define PASSES_SCHEDULE_ORDER_LISTSCHEDULING_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "passes/schedule/order/TaskGraph.h"

namespace sbp::schedule {

/// Lists of tasks, by worker.
using TaskLists = std::vector<std::vector<int64_t>>;

/// Simulates a run in which a free worker starts, of the tasks for which all
/// messages have arrived and that Admission.h admits, the one of the least
/// priority value. Returns the lists. Returns none if tasks remain that do not
/// fit.
std::optional<TaskLists> listSchedule(const TaskGraph& graph,
                                      const std::vector<double>& priorities);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_ORDER_LISTSCHEDULING_H_
