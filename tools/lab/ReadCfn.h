// Reading of the problems that sbpc explain --dump-problem writes
// (passes/search/problem/Cfn.h).

#ifndef TOOLS_LAB_READCFN_H_
#define TOOLS_LAB_READCFN_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "passes/search/problem/Problem.h"

namespace sbp::search::lab {

/// Returns the problem that `text` describes. Reads the subset of the format
/// that cfnOf writes: no names of states, and no tables that list only some
/// combinations. Fails on any other text; the error names the place in `text`.
absl::StatusOr<Problem> readCfn(std::string_view text);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_READCFN_H_
