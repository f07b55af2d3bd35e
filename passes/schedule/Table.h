// A schedule of a pipeline as a table: the tasks of each worker, in order.
//
// A model is cut into stages 0, 1, ...; a batch is cut into micro-batches, each
// of which goes forward through all stages and comes back. A worker (one rank,
// or a group of ranks) has one ordered list of tasks, each of one stage and one
// or more micro-batches:
//
//   worker 0 | 0F0 0F1         0B0     0B1
//   worker 1 |     1F0 1B0 1F1 1B1
//
// where 1B0 is the backward (B; F is a forward) of stage 1 for micro-batch 0. A
// table has no other information. The rules in Dependencies.h say which task
// waits for which, and times follow from durations (Simulate.h). In particular
//
// - Which worker has which stage follows from the worker's tasks. Several
//   workers may have the same stage (Chimera, GEMS, DualPipe); all tasks of a
//   micro-batch for that stage are then on the worker that has its forward.
// - A task may cover several consecutive micro-batches: Chimera's "forward
//   doubling" is a forward of two, with a backward of each.
// - A micro-batch may be divided into equal parts (partsPerMicroBatch).
//   Chimera's "backward halving" is a table with forwards of two parts and
//   backwards of one. Tasks count in parts; durations and memory are given per
//   micro-batch.
// - A row is the list of a worker for one training step. A step ends with a
//   flush if all of its tasks are done before the next step begins. In a table
//   without a flush, a row also has tasks of earlier steps (Task::stepOffset).
//   The first steps skip tasks of steps that do not exist (the prologue). After
//   the last step, the rows are run again without new micro-batches until all
//   tasks are done (the epilogue; docs/decisions/0034).

#ifndef PASSES_SCHEDULE_TABLE_H_
#define PASSES_SCHEDULE_TABLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/sbp/StageTask.h"

namespace sbp::schedule {

using Kind = TaskKind;
using sbp::letterOf;

/// Number of kinds that have a separate result for each part of a micro-batch.
/// They are the first values of `Kind`. A task of another kind has one result
/// for all micro-batches that it covers.
inline constexpr int kNumPerPartKinds = 5;
/// Whether tasks of this kind have a separate result for each part of a
/// micro-batch.
inline bool isPerPart(Kind kind) {
  return static_cast<int>(kind) < kNumPerPartKinds;
}

/// Returns a kind in words, such as "backward of inputs".
std::string_view nameOf(Kind kind);

/// One element of a worker's list: does `kind` of `stage` for the parts first,
/// ..., first + count - 1 of one training step.
struct Task {
  Kind kind = Kind::Forward;
  int64_t stage = 0;
  int64_t first = 0, count = 1;  // in parts of micro-batches

  /// Training step of the task, relative to the step of the row: 0, or negative
  /// for an earlier step. A cell shows -1, the step before, as "<1".
  int64_t stepOffset = 0;

  int64_t end() const { return first + count; }
};

bool operator==(const Task& a, const Task& b);

/// A schedule, as described at the head of this file. A Table may have any
/// tasks; `check` (Check.h) verifies that it can be run.
struct Table {
  int64_t numStages = 0;
  int64_t numMicroBatches = 0;  // per training step
  int64_t partsPerMicroBatch = 1;

  /// Number of updates that a forward ignores. Of the updates by earlier
  /// micro-batches, a forward ignores the last `delay`. Of the others, the
  /// weights that it reads include all that its worker has run. With a delay of
  /// 1 and one update per step, no stage reads the update of the step before
  /// (PipeDream-2BW).
  int64_t delay = 0;

  std::vector<std::vector<Task>> workers;

  int64_t numWorkers() const { return static_cast<int64_t>(workers.size()); }
  int64_t numParts() const { return numMicroBatches * partsPerMicroBatch; }
};

bool operator==(const Table& a, const Table& b);

/// Largest number of stages x parts of a table. Larger tables are refused,
/// since they would take gigabytes.
inline constexpr int64_t kMaxStageParts = 1 << 22;

/// Returns the number of earlier training steps that have tasks in a row: the
/// largest -stepOffset of the table. Returns 0 if every step ends with a flush.
int64_t numOverlappedSteps(const Table& table);

/// Returns a table that runs `numSteps` training steps of `table`, prologue and
/// epilogue included. The result has one long step with all micro-batches of
/// these steps, and all its tasks have stepOffset 0.
Table unrolled(const Table& table, int64_t numSteps);

/// Whether `task` is a reduction or an update that covers all micro-batches of
/// a step. The cell of such a task need not name them.
bool isOfWholeStep(const Table& table, const Task& task);

/// Returns the name of `count` consecutive parts from `first` on: "micro-batch
/// 3", "micro-batches 2-3", or "micro-batch 3.1" if micro-batches have parts.
std::string describeParts(const Table& table, int64_t first, int64_t count);

/// Returns the name of a task: "backward of stage 2, micro-batch 3".
std::string describe(const Table& table, const Task& task);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_TABLE_H_
