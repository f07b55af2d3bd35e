// Variables that are linked by what is made by one of them and used by others.
//
// A link costs so much for each pair of states. Where several variables use the
// same thing, they are a fan, and share what it costs: each is served from the
// maker or from one that was served before it, whichever takes less. A fan of
// one user is a link between two variables.
//
// Many states are alike to a fan: an op that runs in a thousand ways lays one
// tensor in a few hundred. So a fan sees a variable by faces.

#ifndef PASSES_SEARCH_SOLVERS_LINKEDPROBLEM_H_
#define PASSES_SEARCH_SOLVERS_LINKEDPROBLEM_H_

#include <cstddef>
#include <vector>

#include "passes/search/Problem.h"

namespace sbp::search {

/// Costs of two faces: `rows` x `columns`, row-major, all finite and none
/// negative.
struct FaceCosts {
  size_t rows = 0, columns = 0;
  std::vector<Cost> costs;
};

/// A variable as fans see it.
struct FacedVariable {
  size_t variable = 0;
  size_t numFaces = 0;
  std::vector<State> faceOf;  // per state
};

struct LinkedProblem {
  /// Costs `times` the sum, over all users, of the least that it takes to serve
  /// one from an end before it.
  struct Fan {
    /// Which of `views`: of the maker, then of its users in the order in which
    /// they are served; each of another variable. At most `kMaxUses`.
    std::vector<size_t> views;
    /// Which of `costs`, per pair of ends, as `costsOf` orders them.
    std::vector<size_t> costs;
    double times = 1;

    /// What it takes to serve end `to` from end `from`, a row per face of
    /// `from`: (0, 1), (0, 2), (1, 2), (0, 3) and so on.
    size_t costsOf(size_t from, size_t to) const {
      return costs[to * (to - 1) / 2 + from];
    }
  };

  /// What messages in a fan take grows with the number of trees.
  static constexpr size_t kMaxUses = 4;

  std::vector<std::vector<Cost>> own;  // per variable and state, finite
  std::vector<FacedVariable> views;
  std::vector<FaceCosts> costs;
  std::vector<Fan> fans;

  Cost costOf(const Fan& fan, const Assignment& assignment) const;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_LINKEDPROBLEM_H_
