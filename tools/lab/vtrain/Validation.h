// Fits the numbers of a machine to some runs, and compares the model with
// others.

#ifndef TOOLS_LAB_VTRAIN_VALIDATION_H_
#define TOOLS_LAB_VTRAIN_VALIDATION_H_

#include <cstdint>
#include <vector>

#include "tools/lab/vtrain/MeasuredRuns.h"
#include "tools/lab/vtrain/MegatronModel.h"

namespace sbp::vtrain {

/// Returns the numbers with the least mean relative error over `runs` that a
/// pattern search finds. Equal arguments have equal results.
MachineNumbers fitNumbers(const std::vector<MeasuredRun>& runs,
                          const AllReduces& allReduces);

/// Relative errors of simulated times against measured ones.
struct Errors {
  double mean = 0, median = 0, percentile90 = 0;
};
Errors errorsOf(const std::vector<MeasuredRun>& runs,
                const MachineNumbers& numbers, const AllReduces& allReduces);

/// Quality of the model's choices among the runs of a group: those of one
/// model, number of GPUs and batch.
struct Choices {
  int64_t groups = 0;
  double amongThree = 0;  // part of groups whose fastest run is predicted so
  double loss = 0;        // by which the predicted fastest is slower, mean
};
Choices choicesOf(const std::vector<MeasuredRun>& runs,
                  const MachineNumbers& numbers, const AllReduces& allReduces);

/// A fit on every `number`-th run, compared with the others.
struct Fold {
  MachineNumbers numbers;
  Errors fitted, others;
  Choices choices;  // among all runs
};
std::vector<Fold> crossValidate(const std::vector<MeasuredRun>& runs,
                                int64_t number, const AllReduces& allReduces);

}  // namespace sbp::vtrain

#endif  // TOOLS_LAB_VTRAIN_VALIDATION_H_
