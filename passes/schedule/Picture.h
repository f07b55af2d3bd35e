// A run of a table as a picture of letters, one column per unit of time.
//
//   worker 0 | F0 F1 .  .  .  .  B0 B0 .  B1 B1
//   worker 1 | .  F0 B0 B0 F1 B1 B1 .  .  .  .
//
// A task is its kind and micro-batch (Csv.h), once per unit that it takes; its
// stage is named where workers have several.

#ifndef PASSES_SCHEDULE_PICTURE_H_
#define PASSES_SCHEDULE_PICTURE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"

namespace sbp::schedule {

/// More columns than these nobody reads.
inline constexpr int64_t kMostColumns = 400;

/// The picture, in the longest unit of which all times are multiples; none if
/// it would have more than kMostColumns columns.
std::optional<std::string> pictureOf(const Dependencies& dependencies,
                                     const Simulation& run);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_PICTURE_H_
