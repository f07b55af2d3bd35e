// Chimera's model of a training step (Li and Hoefler, arXiv 2107.06925, section
// 3.4, equation 1), beside the simulation:
//
//   T = (F + c) C_f + (B + c) C_b + max over workers of unoverlapped
//
// F and B are the times of a forward and a backward of a stage, and c that of a
// message. C_f and C_b are the numbers of forwards and backwards on a critical
// path of the run without messages. Gradients of a stage are summed as soon as
// the worker has them, while it is idle; what is left when the last backward of
// the run ends is unoverlapped.

#ifndef PASSES_SCHEDULE_LAB_CHIMERAMODEL_H_
#define PASSES_SCHEDULE_LAB_CHIMERAMODEL_H_

#include "passes/schedule/Simulate.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule::lab {

/// The terms of the model.
struct ChimeraModel {
  double forwards = 0, backwards = 0;  // C_f, C_b, in micro-batches
  double unoverlapped = 0;             // time of reductions
  double makespan = 0;                 // T
};

/// Returns the model's terms for a table that has passed `check` and has
/// forwards and whole backwards. If stages take different times, F and B are
/// those of the slowest one.
ChimeraModel chimeraModelOf(const Table& table, const Durations& durations);

/// Returns the time of an all-reduce by Rabenseifner's algorithm: 2 log2(r)
/// alpha + 2 (r - 1) / r bytes beta, for r ranks.
double allReduceTime(double ranks, double bytes, double alpha, double beta);

}  // namespace sbp::schedule::lab

#endif  // PASSES_SCHEDULE_LAB_CHIMERAMODEL_H_
