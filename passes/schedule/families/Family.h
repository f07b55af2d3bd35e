// Families of schedules: each makes a table from the depth of the pipeline and
// the number of micro-batches.
//
// A family is one function and one entry in the list. What it makes is a table
// like any other: nothing that reads tables knows of families. To add one,
// write the function in a file of its own, and enter it in Family.cpp.

#ifndef PASSES_SCHEDULE_FAMILIES_FAMILY_H_
#define PASSES_SCHEDULE_FAMILIES_FAMILY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// What a table is made from. What is not given has the family's own value;
/// what a family does not have may not be given.
struct Shape {
  int64_t depth = 1;                   // D: workers
  int64_t microBatches = 1;            // N, of a step
  std::optional<int64_t> chunks;       // v: stages per worker
  std::optional<int64_t> pairs;        // f: pairs of opposite pipes
  std::optional<std::string> variant;  // of the family's list

  /// Which worker has each stage, for a family that takes any; where this is
  /// empty, each has one. Other families have their own, and do not look.
  std::vector<int64_t> workerOfStage;
};

struct Family {
  std::string_view name;
  std::string_view summary;     // one line
  std::string_view conditions;  // on the shape; empty if there are none
  bool hasChunks = false, hasPairs = false;
  std::vector<std::string_view> variants;  // the first unless another is given
  absl::StatusOr<Table> (*make)(const Shape& shape) = nullptr;
};

/// All families there are.
const std::vector<Family>& families();

/// The family `name`. Fails if there is none, with those there are.
absl::StatusOr<const Family*> familyNamed(std::string_view name);

/// The table of family `name`. Fails if there is no such family, it has no such
/// option, or the shape does not meet its conditions, with both numbers.
absl::StatusOr<Table> tableOf(std::string_view name, const Shape& shape);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_FAMILIES_FAMILY_H_
