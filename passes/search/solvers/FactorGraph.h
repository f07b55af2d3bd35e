// A factor graph: variables that are linked by tensors. One variable makes a
// tensor, others use it.
//
// A link has a cost for each pair of states. If several variables use one
// tensor, the maker and the users form a factor, and share its costs: each user
// is served from the maker or from a user that was served before, whichever is
// cheaper. A factor with one user is a link of two variables.
//
// A factor distinguishes few states: an op that can run in a thousand ways
// places one of its tensors in a few hundred. States of a variable among which
// a factor does not distinguish have one projection.

#ifndef PASSES_SEARCH_SOLVERS_FACTORGRAPH_H_
#define PASSES_SEARCH_SOLVERS_FACTORGRAPH_H_

#include <cstddef>
#include <vector>

#include "passes/search/problem/Problem.h"

namespace sbp::search {

/// Costs per pair of projections: `rows` x `columns`, row-major, finite and not
/// negative.
struct ProjectionCosts {
  size_t rows = 0, columns = 0;
  std::vector<Cost> costs;
};

/// A variable as factors see it: a map from its states to projections.
struct ProjectedVariable {
  size_t variable = 0;
  size_t numProjections = 0;
  std::vector<State> projectionOf;  // per state
};

/// Variables, and the factors that link them.
struct FactorGraph {
  /// A factor. It costs `times` the sum, over all users, of the least cost of
  /// serving the user from an earlier end.
  struct Factor {
    /// Indices into `views`: of the maker, then of its users in the order in
    /// which they are served. No variable is two ends of one factor. At most
    /// kMaxUses users.
    std::vector<size_t> views;
    /// Indices into FactorGraph::costs, per pair of ends, in the order of
    /// costsOf().
    std::vector<size_t> costs;
    double times = 1;

    /// Returns the index of the costs of serving end `to` from end `from` <
    /// `to`: a row per projection of `from`, a column per projection of `to`.
    /// The order of pairs is (0, 1), (0, 2), (1, 2), (0, 3) and so on.
    size_t costsOf(size_t from, size_t to) const {
      return costs[to * (to - 1) / 2 + from];
    }
  };

  /// Largest number of users of a factor. Messages in a factor take time that
  /// grows with the number of trees (FactorMessages.h).
  static constexpr size_t kMaxUses = 4;

  std::vector<std::vector<Cost>> own;  // per variable and state, finite
  std::vector<ProjectedVariable> views;
  std::vector<ProjectionCosts> costs;
  std::vector<Factor> factors;

  /// Returns the cost of `factor` in `assignment`.
  Cost costOf(const Factor& factor, const Assignment& assignment) const;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_FACTORGRAPH_H_
