// Limited resources, such as the bytes of a device.
//
// Uses add up like costs: each entry of each table of the problem has a use. An
// assignment is allowed if the sum of its uses is at most the limit.

#ifndef PASSES_SEARCH_PROBLEM_RESOURCES_H_
#define PASSES_SEARCH_PROBLEM_RESOURCES_H_

#include <vector>

#include "passes/search/problem/Problem.h"

namespace sbp::search {

/// A resource: what each entry uses, and the limit.
struct Resource {
  /// Uses per table of the problem and per entry, never negative. Empty for a
  /// table that uses nothing.
  std::vector<std::vector<double>> uses;
  /// Limit of the sum of uses; positive.
  double limit = 0;

  /// Returns the use of `assignment`.
  double usedBy(const Problem& problem, const Assignment& assignment) const {
    double used = 0;
    for (size_t table = 0; table < uses.size(); ++table)
      if (!uses[table].empty())
        used += uses[table][problem.entryOf(table, assignment)];
    return used;
  }
};

/// Whether withPrices() keeps the costs of the problem.
enum class Costs { Paid, LeftOut };

/// Returns `problem` with the uses of `resources` added to its costs. `prices`
/// has one price per resource, for the use of its whole limit. With
/// Costs::LeftOut, finite costs are replaced by 0; forbidden entries stay
/// forbidden. Rounds to ticks.
Problem withPrices(const Problem& problem,
                   const std::vector<Resource>& resources,
                   const std::vector<double>& prices, Costs costs);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROBLEM_RESOURCES_H_
