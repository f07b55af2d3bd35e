// `sbp-lab schedule --synthesise`: a faster order of a schedule's tasks, within
// a limit of memory.

#ifndef PASSES_SCHEDULE_LAB_SYNTHESIS_H_
#define PASSES_SCHEDULE_LAB_SYNTHESIS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/Table.h"
#include "passes/schedule/order/SynthesiseOrder.h"

namespace sbp::schedule::lab {

/// The options of the user. Each list has one value for all, or one value per
/// worker or stage.
struct SynthesisRequest {
  bool isWanted = false;
  /// Memory that a worker may keep, in the unit of `stash`. If empty, each
  /// worker may keep as much as the one that keeps most in the given order.
  std::vector<double> cap;
  std::vector<double> stash = {1};    // per micro-batch in flight, by stage
  std::vector<double> residue = {0};  // between halves of a backward, by stage
  SynthesisTuning tuning;
};

/// An order that has been found, and the problem that it solves.
struct Synthesis {
  OrderProblem problem;
  SynthesisedOrder found;
  double before = 0;  // makespan of the given order
};

/// Searches for a faster order of `table`, which must have passed `check`.
/// Fails if the request or the table is wrong, or if no order is found that
/// keeps within the caps.
absl::StatusOr<Synthesis> synthesise(const SynthesisRequest& request,
                                     const Table& table,
                                     const Durations& durations);

/// Returns the lines of a report, or the JSON of one.
std::string linesOf(const Synthesis& synthesis);
nlohmann::ordered_json jsonOf(const Synthesis& synthesis);

}  // namespace sbp::schedule::lab

#endif  // PASSES_SCHEDULE_LAB_SYNTHESIS_H_
