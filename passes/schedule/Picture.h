// A simulated table as a picture of letters, one column per unit of time.
//
//   worker 0 | F0 F1 .  .  .  .  B0 B0 .  B1 B1
//   worker 1 | .  F0 B0 B0 F1 B1 B1 .  .  .  .
//
// A task is shown as its kind and micro-batch (Csv.h) in each unit of time that
// it takes, with its stage where workers have several.

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

/// Returns the picture. Its unit of time is the longest one of which all times
/// are multiples. Nothing if it would have more than kMostColumns columns.
std::optional<std::string> pictureOf(const Dependencies& dependencies,
                                     const Simulation& run);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_PICTURE_H_
