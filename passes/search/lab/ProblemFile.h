// A problem of somebody's file, solved by elimination.

#ifndef PASSES_SEARCH_LAB_PROBLEMFILE_H_
#define PASSES_SEARCH_LAB_PROBLEMFILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "passes/search/lab/Experiments.h"

namespace sbp::search::lab {

/// The least cost of the problem in the file at `path` (Cfn.h), and how long it
/// took to find and prove it, without reading the file. Fails if the file has
/// no such problem, or elimination would take too much.
absl::StatusOr<Json> problemFile(const std::string& path);

}  // namespace sbp::search::lab

#endif  // PASSES_SEARCH_LAB_PROBLEMFILE_H_
