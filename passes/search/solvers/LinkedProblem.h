// A problem whose variables are linked by tensors: one variable makes a tensor,
// others use it.
//
// A link has a cost for each pair of states. If several variables use one
// tensor, the maker and the users form a fan, and share its costs: each user is
// served from the maker or from a user that was served before, whichever is
// cheaper. A fan with one user is a link of two variables.
//
// A fan distinguishes few states: an op that can run in a thousand ways places
// one of its tensors in a few hundred. States of a variable among which a fan
// does not distinguish form a face.

#ifndef PASSES_SEARCH_SOLVERS_LINKEDPROBLEM_H_
#define PASSES_SEARCH_SOLVERS_LINKEDPROBLEM_H_

#include <cstddef>
#include <vector>

#include "passes/search/problem/Problem.h"

namespace sbp::search {

/// Costs per pair of faces: `rows` x `columns`, row-major, finite and not
/// negative.
struct FaceCosts {
  size_t rows = 0, columns = 0;
  std::vector<Cost> costs;
};

/// A variable as fans see it: a map from its states to faces.
struct FacedVariable {
  size_t variable = 0;
  size_t numFaces = 0;
  std::vector<State> faceOf;  // per state
};

/// Variables, and the fans that link them.
struct LinkedProblem {
  /// A fan. It costs `times` the sum, over all users, of the least cost of
  /// serving the user from an earlier end.
  struct Fan {
    /// Indices into `views`: of the maker, then of its users in the order in
    /// which they are served. No variable is two ends of one fan. At most
    /// kMaxUses users.
    std::vector<size_t> views;
    /// Indices into LinkedProblem::costs, per pair of ends, in the order of
    /// costsOf().
    std::vector<size_t> costs;
    double times = 1;

    /// Returns the index of the costs of serving end `to` from end `from` <
    /// `to`: a row per face of `from`, a column per face of `to`. The order of
    /// pairs is (0, 1), (0, 2), (1, 2), (0, 3) and so on.
    size_t costsOf(size_t from, size_t to) const {
      return costs[to * (to - 1) / 2 + from];
    }
  };

  /// Largest number of users of a fan. Messages in a fan take time that grows
  /// with the number of trees (Fan.h).
  static constexpr size_t kMaxUses = 4;

  std::vector<std::vector<Cost>> own;  // per variable and state, finite
  std::vector<FacedVariable> views;
  std::vector<FaceCosts> costs;
  std::vector<Fan> fans;

  /// Returns the cost of `fan` in `assignment`.
  Cost costOf(const Fan& fan, const Assignment& assignment) const;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_LINKEDPROBLEM_H_
