// Lower bounds of the makespan of a table, over all orders of its tasks, or
// over the orders that keep few micro-batches in flight.
//
// Let F and B be the times of a forward and a backward. For D stages on D
// workers and N micro-batches through one pipe, the bound of the busiest worker
// is (N + D - 1)(F + B). gpipe and 1f1b attain it. With two pipes in opposite
// directions, each with half of the micro-batches, the bound of the workers in
// the middle is N(F + B) + (D/2 - 1)(F + B). For D = N = 4, Chimera takes F + B
// more.

#ifndef PASSES_SCHEDULE_BOUNDS_H_
#define PASSES_SCHEDULE_BOUNDS_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"

namespace sbp::schedule {

/// Lower bounds of the makespan of all tables that have the same tasks on the
/// same workers.
struct Bounds {
  /// The duration of the longest chain of tasks that wait for one another,
  /// transfers included.
  double chain = 0;

  /// The largest bound of a worker. The bound of a worker is the earliest time
  /// at which one of its tasks can start, plus the duration of all its tasks,
  /// plus the shortest time from the end of one of its tasks to the end of the
  /// run.
  double worker = 0;

  double best() const { return chain > worker ? chain : worker; }
};

/// Returns the bounds of a table that has passed `check`. `durations` must have
/// all of its stages.
Bounds boundsOf(const Dependencies& dependencies, const Durations& durations);

/// A stage that has a worker of its own, as the bound of a pipe needs it.
/// `forward`, `input` and `weight` are times per micro-batch.
struct PipeStage {
  double forward = 0;
  double input = 0;    // backward of inputs, or the whole backward
  double weight = 0;   // backward of weights; 0 if the backward is whole
  double once = 0;     // per step, after the stage's last backward
  double message = 0;  // to the next stage, and back from it, each
  /// Largest number of micro-batches between their forward and the end of
  /// `input`: StageSlots::awaitingBackward.
  double beforeInput = 1;
  /// Largest number of micro-batches between their forward and the end of
  /// `weight`: StageSlots::inFlight.
  double inFlight = 1;
};

/// Lower bounds of the times of the last stages of a pipe, counted from the
/// start of their first forward. All are 0 if there are no stages.
struct PipeBound {
  double makespan = 0;  // to the end of the run
  double backward = 0;  // to the end of the first stage's last `input`
  /// Time from the start of a micro-batch's forward in the first stage to the
  /// end of its `input` there: the sum of all forwards, inputs and messages.
  double way = 0;
};

/// Returns the bounds of `stage` and all later stages, over all orders of tasks
/// in which each stage keeps at most its numbers of micro-batches.
///
/// Let F, I, W and t = F + I + W be the times of the stage, and R the way
/// through all later stages and back. Before its first `input`, the stage has
/// run at most c = beforeInput forwards. After its last forward, at most c - 1
/// inputs and inFlight - 1 backwards of weights are left to fill the way R. So
/// a stage that keeps fewer micro-batches than N takes at least
///
///   N t + max(0, R - (c - 1) F) + max(0, R - (c - 1) I - (inFlight - 1) W)
///
/// and otherwise N t plus the larger of the two waits. It also takes at least N
/// (F + R + I) / c, since a micro-batch is in flight for F + R + I. Then `once`
/// follows, or the backwards of the stages before.
PipeBound withStageBefore(const PipeBound& later, const PipeStage& stage,
                          int64_t numMicroBatches);

/// Returns a lower bound of the makespan of a pipe whose stages have a worker
/// each. With equal stages, the bound of 1f1b is exact.
double boundOfPipe(const std::vector<PipeStage>& stages,
                   int64_t numMicroBatches);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_BOUNDS_H_
