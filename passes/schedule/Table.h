// A schedule of a pipeline as a table: what each worker does, in which order.
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
// table says no more than that. Which task waits for which one follows from the
// rules in Dependencies.h, and times follow from durations (Simulate.h). In
// particular
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
// - A row is what a worker does in one training step. A step ends with a flush
//   if all of its tasks are done before the next step begins. In a table
//   without a flush, a row also has tasks of earlier steps (Task::stepOffset).
//   The first steps skip tasks of steps that do not exist; after the last step
//   the rows are run again, without new micro-batches, until all are back:
//   these are prologue and epilogue (docs/decisions/0034).

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

/// Number of kinds whose tasks are for single parts of micro-batches: the first
/// ones of `Kind`. Tasks of the other kinds are for all micro-batches that they
/// cover, together.
inline constexpr int kNumPerPartKinds = 5;
/// Whether tasks of this kind are for single parts of micro-batches.
inline bool isPerPart(Kind kind) {
  return static_cast<int>(kind) < kNumPerPartKinds;
}

/// Returns a kind in words, such as "backward of inputs".
std::string_view nameOf(Kind kind);

/// One entry of a worker's list: `kind` of `stage` for the parts of
/// micro-batches first, ..., first + count - 1 of one training step.
struct Task {
  Kind kind = Kind::Forward;
  int64_t stage = 0;
  int64_t first = 0, count = 1;  // in parts of micro-batches

  /// Training step of the task, relative to that of the row: 0, or negative for
  /// an earlier step (-1 is the step before). A cell shows it as "<1".
  int64_t stepOffset = 0;

  int64_t end() const { return first + count; }
};

bool operator==(const Task& a, const Task& b);

/// A schedule; see the head of this file. Any table can be written down;
/// `check` (Check.h) finds out whether it can be run.
struct Table {
  int64_t numStages = 0;
  int64_t numMicroBatches = 0;  // per training step
  int64_t partsPerMicroBatch = 1;

  /// Number of updates by which forwards read older weights than they could: a
  /// forward reads the newest weights that its worker has and that do not
  /// contain the last `delay` updates before its micro-batch. With 1 and an
  /// update per step, all stages read the weights of the step before last
  /// (PipeDream-2BW).
  int64_t delay = 0;

  std::vector<std::vector<Task>> workers;

  int64_t numWorkers() const { return static_cast<int64_t>(workers.size()); }
  int64_t numParts() const { return numMicroBatches * partsPerMicroBatch; }
};

bool operator==(const Table& a, const Table& b);

/// Largest number of stages x parts of a table. Larger tables are refused, as
/// they would take gigabytes.
inline constexpr int64_t kMaxStageParts = 1 << 22;

/// Returns the number of earlier training steps that a row has tasks of: the
/// largest -stepOffset of the table. 0 if every step ends with a flush.
int64_t numOverlappedSteps(const Table& table);

/// Returns the table of `numSteps` training steps one after the other, prologue
/// and epilogue included. It is one long step with the micro-batches of all of
/// them, whose tasks all have stepOffset 0.
Table unrolled(const Table& table, int64_t numSteps);

/// Returns `table`, which has passed `check`, with a recomputation right before
/// each backward, or backward of inputs, that has none. The result passes
/// `check` too.
Table withRecomputation(const Table& table);

/// Whether the task is a reduction or an update that covers all micro-batches
/// of a step, so that its cell need not name them.
bool isOfWholeStep(const Table& table, const Task& task);

/// Returns a part, or `count` consecutive ones, in words: "micro-batch 3",
/// "micro-batches 2-3", "micro-batch 3.1" where micro-batches have parts.
std::string describeParts(const Table& table, int64_t first, int64_t count);

/// Returns a task in words: "backward of stage 2, micro-batch 3".
std::string describe(const Table& table, const Task& task);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_TABLE_H_
