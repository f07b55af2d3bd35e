// Adds recomputations to tables.
//
//   without         0F0 0F1 0B0     0B1         saved values of 2 micro-batches
//   recomputed      0F0 0F1 0R0 0B0 0R1 0B1     inputs of 2, saved values of 1

#ifndef PASSES_SCHEDULE_RECOMPUTATION_H_
#define PASSES_SCHEDULE_RECOMPUTATION_H_

#include <cstdint>
#include <set>

#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Returns `table` with a recomputation directly before each backward, or
/// backward of inputs, that has no recomputation yet. `table` must have passed
/// `check`; the result passes it too.
Table withRecomputation(const Table& table);

/// Returns `table` with a recomputation directly before each backward, or
/// backward of inputs, of `stages` that has no recomputation yet. `table` must
/// have passed `check`; the result passes it too.
Table withRecomputation(const Table& table, const std::set<int64_t>& stages);

/// Whether `table` recomputes any stage.
bool isRecomputed(const Table& table);

/// Returns the stages that need less memory if they are recomputed: on some
/// worker, fewer of their parts hold recomputed values at once than are in
/// flight. The last stage of 1f1b is none of them, since it has one part in
/// flight. `table` must have passed `check`.
std::set<int64_t> stagesThatGain(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_RECOMPUTATION_H_
