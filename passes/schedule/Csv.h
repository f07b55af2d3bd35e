// Tables as text: one line per worker, one cell per task, in order.
//
//   0F0,0F1,,,0B0,,0B1        an empty cell is an idle slot: it is ignored
//   ,1F0,1B0,1F1,1B1
//
// torch.distributed.pipelining stores schedules of computation in this format:
// <stage><kind><micro-batch>, with the kinds F (forward), B (backward), I and W
// (the halves of a backward, for inputs and weights). A table that has only
// these kinds means the same to PyTorch and here. This project adds:
//
//   0R3       recomputation of the forward of micro-batch 3
//   0F2-3     one task for micro-batches 2 and 3
//   0B3.1     the second part of micro-batch 3. All micro-batches have the same
//             number of parts: 1 + the largest number after a dot
//   0U, 0G    update, reduction of gradients, by all micro-batches of the step
//   0U3       update by the gradients of micro-batch 3
//   0B3<2     backward of micro-batch 3 of the step that is two steps before
//             the row's step (stepOffset -2), in a table without a flush
//   0U+1      forwards read weights without the last update before their
//             micro-batch (Table::delay); the same number for all updates
//   0B3@17    a start slot after any cell is ignored
//
// PyTorch writes a forward and a backward that are to overlap as one cell,
// (0F7;3B2)OVERLAP_F_B. Here they become two tasks, one after the other.
//
// Stages, micro-batches and parts are numbered from 0. Their numbers follow
// from the largest indices in the text. Several workers may have the same
// stage.

#ifndef PASSES_SCHEDULE_CSV_H_
#define PASSES_SCHEDULE_CSV_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Returns the text of a task's cell.
std::string cellOf(const Table& table, const Task& task);

/// Returns the table as text, without idle slots. A worker without tasks has a
/// line of two empty cells.
std::string csvOf(const Table& table);

/// Returns the table that `text` describes. Fails if a cell is malformed, with
/// an error that names its line and cell, or if there are no tasks. Does not
/// check that the table can be run (see Check.h).
absl::StatusOr<Table> readCsv(std::string_view text);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_CSV_H_
