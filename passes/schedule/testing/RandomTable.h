// Random tables that can be run: any order of their tasks in which each task
// comes after all tasks that it needs.
//
//   0F1 0F0 | 1F1 1I1 1F0 | 0B1 0R0 ...
//
// The rules of what a task needs are written here a second time, as sets of
// finished pieces, so that tests of Dependencies.h do not use it.

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
/// pieces of the whole table.
std::vector<Piece> needs(const std::set<Piece>& all, const Task& task,
                         int64_t numStages);

/// A function that draws a random number from 0 to `end` - 1.
using Draw = llvm::function_ref<int64_t(int64_t end)>;

/// Returns a table in which any worker may have any stage of any micro-batch.
Table randomTable(Draw below);

/// Returns a table with this number of micro-batches and each stage on its
/// worker; if `isOnSeveral`, other workers have the stage for some of the
/// micro-batches. A stage's backwards are all whole, all in halves, or mixed;
/// it recomputes all of its micro-batches or none.
Table randomTable(const std::vector<int64_t>& workerOfStage,
                  int64_t numMicroBatches, int64_t partsPerMicroBatch,
                  bool isOnSeveral, Draw below);

/// Returns a table without a flush, or with a delay of weights, with this
/// number of micro-batches and each stage on its worker. A step begins at a
/// random time before the step before it is over, but not before that one's
/// sums of gradients and losses are complete where its own begin.
Table randomAsynchronousTable(const std::vector<int64_t>& workerOfStage,
                              int64_t numMicroBatches, Draw below);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_TESTING_RANDOMTABLE_H_
