// Writing of a problem as text that other solvers read: a cost function network
// (CFN) in the JSON of toulbar2.
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
// The number of a variable is its number of states. A function has a cost for
// each combination of the states of its scope; the state of the last variable
// changes fastest. Names consist of letters, digits and underscores, because
// toulbar2 ends a name at any other character. `mustbe` is a ceiling: the cost
// of a solution is below the ceiling, and an entry that is not below it is
// forbidden. All costs have as many decimals as the ceiling, since a solver
// counts in units of the ceiling's last decimal. The number of decimals is
// chosen such that sums of costs fit into 50 bits.
//
// https://toulbar2.github.io/toulbar2/formats/cfnformat.html

#ifndef PASSES_SEARCH_PROBLEM_CFN_H_
#define PASSES_SEARCH_PROBLEM_CFN_H_

#include <string>
#include <string_view>

#include "passes/search/problem/Problem.h"

namespace sbp::search {

/// Returns `problem` as text in the form above. Costs are rounded to the last
/// decimal. No cost of `problem` may be negative.
std::string cfnOf(const Problem& problem, std::string_view name);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROBLEM_CFN_H_
