// Random tables that can be run. The tasks are in a random order in which each
// task comes after all tasks that it needs. In this example, worker 0 has stage
// 0 and worker 1 has stage 1; | is where the next task is on the other worker:
//
//   0F1 0F0 | 1F1 1I1 1F0 | 0B1 0R0 ...
//
// This file states a second time what each task needs: the pieces of other
// tasks that must be finished. So the tests of Dependencies.h have independent
// rules.

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

/// Returns the pieces that must be finished before `task` starts. `all` must
/// have the pieces of the whole table, which must not have reductions.
std::vector<Piece> needs(const std::set<Piece>& all, const Task& task,
                         int64_t numStages);

/// A function that draws a random number from 0 to `end` - 1.
using Draw = llvm::function_ref<int64_t(int64_t end)>;

/// Returns a table of random size without updates. Any worker may have any
/// stage of any micro-batch.
Table randomTable(Draw below);

/// Returns a table of `numMicroBatches` micro-batches in which each stage is on
/// its worker. If `isOnSeveral`, other workers have the stage for some of the
/// micro-batches. A stage's backwards are all whole, all in halves, or mixed. A
/// stage recomputes all of its micro-batches or none.
Table randomTable(const std::vector<int64_t>& workerOfStage,
                  int64_t numMicroBatches, int64_t partsPerMicroBatch,
                  bool isOnSeveral, Draw below);

/// Returns a table of `numMicroBatches` micro-batches whose steps may overlap.
/// Each stage is on its worker. The time between the starts of two steps is
/// random, but long enough that each worker completes the sums of gradients and
/// losses of a step before it begins those of the next.
Table randomAsynchronousTable(const std::vector<int64_t>& workerOfStage,
                              int64_t numMicroBatches, Draw below);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_TESTING_RANDOMTABLE_H_
