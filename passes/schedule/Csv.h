// Tables as text: one line per worker, one cell per task, in order.
//
//   0F0,0F1,,,0B0,,0B1        an empty cell is an idle slot: it says nothing
//   ,1F0,1B0,1F1,1B1
//
// This is the format in which torch.distributed.pipelining stores schedules of
// computation alone: <stage><kind><micro-batch>, with the kinds F (forward), B
// (backward), I and W (its halves, for inputs and weights). A table that keeps
// to these reads the same there and here. Beyond that,
//
//   0R3       recomputation of the forward of micro-batch 3
//   0F2-3     one task for micro-batches 2 and 3
//   0B3.1     the second part of micro-batch 3: as many parts as the largest
//             number behind a point says, for all micro-batches
//   0U, 0G    update, reduction of gradients, by all micro-batches of the step
//   0U3       update by those of micro-batch 3
//   0B3<2     of the step two before: a table without a flush
//   0U+1      forwards read no weights in which the last update before their
//             micro-batch is (Table::delay); the same for all updates
//   0B3@17    a starting slot behind any cell is read over
//
// Torch writes a forward and a backward that are to overlap as one cell,
// (0F7;3B2)OVERLAP_F_B: here they are two, one behind the other.
//
// How many stages and micro-batches there are follows from the largest numbers.
// Several workers may have the same stage.

#ifndef PASSES_SCHEDULE_CSV_H_
#define PASSES_SCHEDULE_CSV_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// A task as the text of its cell.
std::string cellOf(const Table& table, const Task& task);

/// The table as text, without idle slots.
std::string csvOf(const Table& table);

/// The table of a text. Whether it can be run is not looked at (Check.h). Fails
/// on any other text, saying which line and cell.
absl::StatusOr<Table> readCsv(std::string_view text);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_CSV_H_
