// A simulated table as a picture of letters, one column per unit of time.
//
//   worker 0 | F0 F1 .  .  B0 B0 .  B1 B1
//   worker 1 | .  F0 B0 B0 F1 B1 B1 .  .
//
// Each column in which a task runs shows the cell of the task (Csv.h). The
// stage is left out if every worker has a single stage.

#ifndef PASSES_SCHEDULE_PICTURE_H_
#define PASSES_SCHEDULE_PICTURE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"

namespace sbp::schedule {

/// Largest number of columns of a picture.
inline constexpr int64_t kMostColumns = 400;

/// Returns the picture. Its unit of time is the largest time that divides all
/// starts and ends. Returns nullopt if the picture would have more than
/// kMostColumns columns, or if all times are 0.
std::optional<std::string> pictureOf(const Dependencies& dependencies,
                                     const Simulation& run);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_PICTURE_H_
