// Families of schedules: each makes a table from the depth of the pipeline and
// the number of micro-batches.
//
// A family is one function and one element of the list in Family.cpp. Code that
// reads tables does not depend on families. To add a family, write the function
// in a new file, and add it to the list.

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

/// The parameters from which a family makes a table. If a parameter is not
/// given, the family uses its default. Chunks, pairs and a variant must not be
/// given to a family that does not have them.
struct Shape {
  int64_t depth = 1;                   // D: number of workers
  int64_t microBatches = 1;            // N: number per training step
  std::optional<int64_t> chunks;       // v: number of stages per worker
  std::optional<int64_t> pairs;        // f: number of pairs of opposite pipes
  std::optional<std::string> variant;  // one of Family::variants

  /// The worker of each stage. Only the family `list` uses it. If it is empty,
  /// `list` gives stage s to worker s.
  std::vector<int64_t> workerOfStage;
};

/// A family: its name, its texts for --help, its parameters, and the function
/// that makes its tables.
struct Family {
  std::string_view name;
  std::string_view summary;     // one line
  std::string_view conditions;  // on the shape, in words; may be empty
  bool hasChunks = false, hasPairs = false;
  std::vector<std::string_view> variants;  // the first is the default
  absl::StatusOr<Table> (*make)(const Shape& shape) = nullptr;
};

/// Returns all families.
const std::vector<Family>& families();

/// Returns the family `name`. If there is none, fails with an error that lists
/// all names.
absl::StatusOr<const Family*> familyNamed(std::string_view name);

/// Returns the table of family `name`. Fails if there is no such family, if it
/// lacks a parameter that is given, or if the shape is too large or does not
/// meet the family's conditions.
absl::StatusOr<Table> tableOf(std::string_view name, const Shape& shape);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_FAMILIES_FAMILY_H_
