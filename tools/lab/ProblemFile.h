// Solving a problem of a file by elimination.

#ifndef TOOLS_LAB_PROBLEMFILE_H_
#define TOOLS_LAB_PROBLEMFILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/lab/Experiments.h"

namespace sbp::search::lab {

/// Returns the least cost of the problem in the file at `path` (Cfn.h), and the
/// seconds of the search without reading the file. Fails if the file has no
/// such problem, or if elimination would take too much.
absl::StatusOr<Json> problemFile(const std::string& path);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_PROBLEMFILE_H_
