// A schedule of a pipeline as a table: what each worker does, in which order.
//
// A model is cut into stages, which stand one behind the other; a batch is cut
// into micro-batches, which go through all stages forward and come back. A
// worker (one rank, or a group of them) has one ordered list of tasks, each of
// one stage and one or more micro-batches:
//
//   worker 0 | 0F0 0F1         0B0     0B1
//   worker 1 |     1F0 1B0 1F1 1B1
//
// where 1B0 is the backward (B; F is a forward) of stage 1 for micro-batch 0.
// Nothing else is said, and nothing else is needed: what waits for what follows
// (Dependencies.h), and times follow from durations (Simulate.h). In particular
//
// - Which worker has which stage follows from its tasks. Several workers may
//   have the same stage (Chimera, GEMS, DualPipe); a micro-batch is then on the
//   worker that has its forward.
// - A task may cover a run of neighbouring micro-batches: Chimera's "forward
//   doubling" is a forward of two, with a backward of each.
// - A micro-batch may be halved, or cut into more parts: partsPerMicroBatch.
//   "Backward halving" is the same table as doubling, with halves for wholes,
//   so tasks count in parts, and only durations and memory in micro-batches.
// - A table is one training step. In one without a flush, tasks for earlier
//   steps stand among those of this one: stepsBack. The first steps then skip
//   what does not exist yet, and after the last step the table runs on with
//   nothing new: that is prologue and epilogue (docs/decisions/0034).

#ifndef PASSES_SCHEDULE_TABLE_H_
#define PASSES_SCHEDULE_TABLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sbp::schedule {

/// What a task does with its stage.
enum class Kind {
  Forward,
  Backward,   // gradients of inputs and of weights at once
  Input,      // the half of a backward that the stage before waits for
  Weight,     // the other half, which nobody waits for
  Recompute,  // a forward again, of which only its inputs had been kept
  Reduce,     // sums the stage's gradients over the workers that have it
  Update,     // of the stage's weights, by the gradients of its micro-batches
};

/// So many kinds, the first ones, are of single parts of micro-batches; the
/// others are of all micro-batches of a run together.
inline constexpr int kNumKindsOfParts = 5;
inline bool isOfParts(Kind kind) {
  return static_cast<int>(kind) < kNumKindsOfParts;
}

/// The letter of a kind in a cell, as torch.distributed.pipelining has it:
/// F, B, I, W; and R, G, U for the others.
char letterOf(Kind kind);

/// The word of a kind, such as "backward of inputs".
std::string_view nameOf(Kind kind);

/// One entry of a worker's list: `kind` of `stage` for the parts of
/// micro-batches first, ..., first + count - 1 of the step `stepsBack` before.
struct Task {
  Kind kind = Kind::Forward;
  int64_t stage = 0;
  int64_t first = 0, count = 1;  // parts
  int64_t stepsBack = 0;

  int64_t end() const { return first + count; }
};

bool operator==(const Task& a, const Task& b);

/// A schedule; see above. Any table can be written down: Check.h says whether
/// one can be run.
struct Table {
  int64_t numStages = 0;
  int64_t numMicroBatches = 0;  // of a step
  int64_t partsPerMicroBatch = 1;

  /// A forward reads the newest weights that its worker has, but none in which
  /// the last `delay` updates before its micro-batch are. With 1 and an update
  /// per step, all stages read those of the step before last (PipeDream-2BW).
  int64_t delay = 0;

  std::vector<std::vector<Task>> workers;

  int64_t numWorkers() const { return static_cast<int64_t>(workers.size()); }
  int64_t numParts() const { return numMicroBatches * partsPerMicroBatch; }
};

bool operator==(const Table& a, const Table& b);

/// Larger tables, in stages x parts, are refused: they would take gigabytes.
inline constexpr int64_t kMostPieces = 1 << 22;

/// How far back the table reaches: 0 if every step ends with a flush.
int64_t mostStepsBack(const Table& table);

/// The table of `numSteps` steps one after the other, prologue and epilogue
/// included: it has micro-batches of all steps, and reaches back nowhere.
Table unrolled(const Table& table, int64_t numSteps);

/// A table that has passed `check`, with a recomputation right before each
/// backward, or backward of inputs, that has none. It would pass again.
Table withRecomputation(const Table& table);

/// Whether the task is a reduction or an update by all micro-batches of a step,
/// which then need not be named.
bool isOfWholeStep(const Table& table, const Task& task);

/// A part, or a run of them, in words: "micro-batch 3", "micro-batches 2-3",
/// "micro-batch 3.1" where micro-batches have parts.
std::string describeParts(const Table& table, int64_t first, int64_t count);

/// A task in words: "backward of stage 2, micro-batch 3".
std::string describe(const Table& table, const Task& task);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_TABLE_H_
