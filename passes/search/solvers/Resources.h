// What there is only so much of, such as the bytes of a device.
//
// A resource is used as a cost is paid: every table of the problem says how
// much each choice uses, and the uses add up. Under its limit an assignment is
// allowed, above it not.

#ifndef PASSES_SEARCH_SOLVERS_RESOURCES_H_
#define PASSES_SEARCH_SOLVERS_RESOURCES_H_

#include <vector>

#include "passes/search/Problem.h"

namespace sbp::search {

struct Resource {
  /// Per table of the problem, and in its order, how much each entry uses;
  /// nothing for a table that uses none.
  std::vector<std::vector<double>> uses;
  /// Uses are never negative, and the limit is positive.
  double limit = 0;

  /// How much `assignment` uses.
  double usedBy(const Problem& problem, const Assignment& assignment) const {
    double used = 0;
    for (size_t table = 0; table < uses.size(); ++table)
      if (!uses[table].empty())
        used += uses[table][problem.entryOf(table, assignment)];
    return used;
  }
};

enum class Costs { Paid, LeftOut };

/// `problem` with `prices` paid for what is used of `resources`, one for the
/// whole limit of each; beside its costs, or in place of them: what is not
/// allowed stays so. Rounded to ticks.
Problem withPrices(const Problem& problem,
                   const std::vector<Resource>& resources,
                   const std::vector<double>& prices, Costs costs);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_RESOURCES_H_
