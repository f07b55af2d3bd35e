// Random tables that can be run: any order of their tasks in which each stands
// behind what it needs.
//
//   0F1 0F0 | 1F1 1I1 1F0 | 0B1 0R0 ...
//
// The rules of what a task needs stand here a second time, as sets of finished
// pieces: nothing of Dependencies.h is used.

#ifndef PASSES_SCHEDULE_TESTING_RANDOMTABLE_H_
#define PASSES_SCHEDULE_TESTING_RANDOMTABLE_H_

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// What a task does for one part: kind, stage, part.
using Piece = std::tuple<Kind, int64_t, int64_t>;

std::vector<Piece> piecesOf(const Task& task);
std::set<Piece> piecesOf(const Table& table);

/// The pieces that must be finished before `task` starts, where `all` are those
/// of the table.
std::vector<Piece> needs(const std::set<Piece>& all, const Task& task,
                         int64_t numStages);

/// Draws a number below `end`.
using Draw = llvm::function_ref<int64_t(int64_t end)>;

/// A table with any stage of any micro-batch on any worker.
Table randomTable(Draw below);

/// A table of the given micro-batches with each stage on its worker; or, if
/// stages are to be on several, for some of them at least. A stage goes back
/// whole, in halves, or both by turns; it recomputes all of its micro-batches
/// or none.
Table randomTable(const std::vector<int64_t>& workerOfStage,
                  int64_t numMicroBatches, int64_t partsPerMicroBatch,
                  bool isOnSeveral, Draw below);

/// A table without a flush, or with weights that are read late, of the given
/// micro-batches with each stage on its worker. Steps begin at random before
/// others are over: as early as the sums of one step are over before those of
/// the next begin, or later.
Table randomAsynchronousTable(const std::vector<int64_t>& workerOfStage,
                              int64_t numMicroBatches, Draw below);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_TESTING_RANDOMTABLE_H_
