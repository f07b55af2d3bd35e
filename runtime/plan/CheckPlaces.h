// The checks of places in the model's text; part of Check.h.

#ifndef RUNTIME_PLAN_CHECKPLACES_H_
#define RUNTIME_PLAN_CHECKPLACES_H_

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Checks that each place is a line and a column of one of the files.
absl::Status checkPlaces(const Places& places);

/// Checks that the origins of the tasks and calls of `program` are unknown or
/// among those of `places`.
absl::Status checkOrigins(const Places& places, const EntryProgram& program);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECKPLACES_H_
