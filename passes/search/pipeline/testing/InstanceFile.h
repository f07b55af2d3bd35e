// Instances of the joint problem with known optima, read from JSON:
//
//   [{"units": 2, "memory": 6.7, "layouts": 1, "cases": [
//       {"stages": 1, "micro_batches": 4, "options": [
//          [{"forward": 0.2, "backward": 0.5, "once": 0.6, "static": 1.2,
//            "stash": 0.2, "transient": 0.8, "layout": 0}], ...],
//        "move": [[0]], "cut": [[0.1]]}, ...],
//     "answer": {"seconds": 36.4, ...}}, ...]
//
// The schedule is 1f1b. Each unit is of a kind of its own. The answer is null
// if nothing fits.

#ifndef PASSES_SEARCH_PIPELINE_TESTING_INSTANCEFILE_H_
#define PASSES_SEARCH_PIPELINE_TESTING_INSTANCEFILE_H_

#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/search/pipeline/JointProblem.h"

namespace sbp::search {

/// A problem, and the least seconds per step; none if nothing fits.
struct SolvedInstance {
  JointProblem problem;
  std::optional<double> seconds;
};

/// Reads instances. Fails if `json` does not have the form above.
absl::StatusOr<std::vector<SolvedInstance>> readInstances(
    std::string_view json);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_TESTING_INSTANCEFILE_H_
