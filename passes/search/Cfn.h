// Problems as text that other solvers read: cost function networks in the JSON
// of toulbar2.
//
//   {
//     "problem": {"name": "gpt", "mustbe": "<0.003000000000000"},
//     "variables": {"v0_layer_up": 49, "v1_layer_gelu": 25},
//     "functions": {
//       "f0": {"scope": ["v0_layer_up"], "costs": [0.000100000000000, ...]},
//       "f1": {"scope": ["v0_layer_up", "v1_layer_gelu"], "costs": [...]}
//     }
//   }
//
// A variable has so many states; a function prices all combinations of the
// states of its scope, the last variable's fastest. Names are words of letters,
// digits and underscores, as toulbar2 ends a name at anything else. `mustbe` is
// a ceiling that every solution stays below, and what costs as much is
// forbidden. As many digits as it has behind the point, so many are exact: a
// solver counts in whole units of the last one. They are chosen so that sums of
// costs fit into 50 bits.
//
// https://toulbar2.github.io/toulbar2/formats/cfnformat.html

#ifndef PASSES_SEARCH_CFN_H_
#define PASSES_SEARCH_CFN_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "passes/search/Problem.h"

namespace sbp::search {

/// `problem` as text. Costs are rounded to the last digit, and are not
/// negative.
std::string cfnOf(const Problem& problem, std::string_view name);

/// The problem that a text of this form describes, as cfnOf writes it; names of
/// states, and tables that list some combinations only, are not read. Fails on
/// any other text, saying where.
absl::StatusOr<Problem> readCfn(std::string_view text);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CFN_H_
