// Random tables that can be run: their tasks are in a random order in which
// each task comes after all tasks that it needs. Here worker 0 has stage 0,
// worker 1 has stage 1, and | stands where the order changes the worker:
//
//   0F1 0F0 | 1F1 1I1 1F0 | 0B1 0R0 ...
//
// The rules of what a task needs are written here a second time, as sets of
// finished pieces, so that Dependencies.h is tested against rules that are not
// its own.

#ifndef PASSES_SCHEDULE_TESTING_RANDOMTABLE_H_
#define PASSES_SCHEDULE_TESTING_RANDOMTABLE_H_

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// A piece of a task, for one part of a micro-batch: kind, stage, part.
using Piece = std::tuple<Kind, int64_t, int64_t>;

/// Returns the pieces of a task, or of all tasks of a table.
std::vector<Piece> piecesOf(const Task& task);
std::set<Piece> piecesOf(const Table& table);

/// Returns the pieces that must be finished before `task` starts. `all` are the
/// pieces of the whole table, which has no reductions.
std::vector<Piece> needs(const std::set<Piece>& all, const Task& task,
                         int64_t numStages);

/// A function that draws a random number from 0 to `end` - 1.
using Draw = llvm::function_ref<int64_t(int64_t end)>;

/// Returns a table of random size, in which any worker may have any stage of
/// any micro-batch. It has no updates.
Table randomTable(Draw below);

/// Returns a table with this number of micro-batches and each stage on its
/// worker; if `isOnSeveral`, other workers have the stage for some of the
/// micro-batches. A stage's backwards are all whole, all in halves, or mixed; a
/// stage recomputes all of its micro-batches or none.
Table randomTable(const std::vector<int64_t>& workerOfStage,
                  int64_t numMicroBatches, int64_t partsPerMicroBatch,
                  bool isOnSeveral, Draw below);

/// Returns a table whose steps may overlap, with this number of micro-batches
/// and each stage on its worker. The time from the start of a step to that of
/// the next is random, but long enough that each worker completes the sums of
/// gradients and losses of a step before it begins those of the next.
Table randomAsynchronousTable(const std::vector<int64_t>& workerOfStage,
                              int64_t numMicroBatches, Draw below);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_TESTING_RANDOMTABLE_H_
