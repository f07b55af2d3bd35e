// Min-sum messages within a fan (LinkedProblem.h): the factor over the maker of
// a tensor and its users.
//
// End 0 of a fan is the maker. The users are the ends 1, 2, ..., in the order
// in which they are served. Each user is served from the earlier end from which
// this is cheapest:
//
//          .---------> 2        costs   c01 + min(c02, c12)
//   0 ---> 1 --------'
//
// So the cost of a fan is a minimum over trees in which each user is linked to
// an earlier end. In one tree messages between ends are exact. The min-marginal
// of an end is the least over all trees. Many trees have a link between the
// same two ends, with the same set of ends beyond it. The message across this
// link is then the same. It is computed once, as the least over all subtrees of
// this set, and kept until the costs of an end of the set change.

#ifndef PASSES_SEARCH_SOLVERS_FAN_H_
#define PASSES_SEARCH_SOLVERS_FAN_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "passes/search/solvers/LinkedProblem.h"

namespace sbp::search {

/// The messages of one fan. An end adds costs to the fan by tell(), and gets
/// its min-marginals by hear().
class FanMessages {
 public:
  /// Constructs messages of a fan to which no end has added costs. Both
  /// arguments must outlive this object.
  FanMessages(const LinkedProblem& problem, const LinkedProblem::Fan& fan);

  /// Sets the costs that `end` adds to the fan, per face (LinkedProblem.h) of
  /// `end`. They replace the costs that `end` added before.
  void tell(size_t end, const std::vector<Cost>& costs);

  /// Returns the costs of the last call of tell() for `end`, per face; zeros if
  /// there was none.
  std::vector<Cost> toldBy(size_t end) const;

  /// Returns the min-marginal of `end`: per face, the least cost of the fan
  /// together with the costs that the other ends have added.
  std::vector<Cost> hear(size_t end);

 private:
  /// A set of ends, one bit for each.
  using Ends = uint32_t;

  /// A message that is kept, and the value of `now_` when it was computed.
  struct Part {
    std::vector<Cost> costs;  // per face of the end `to`
    size_t madeAt = 0;
  };

  static Ends only(size_t end) { return Ends{1} << end; }
  static bool has(Ends ends, size_t end) { return ends & only(end); }

  /// Returns the message across the link of `from` and `to`, in whichever
  /// direction it serves: per face of `to`, the least cost of the link and of a
  /// tree over `ends` with `from` as its root. `ends` has `from`, but not `to`.
  const std::vector<Cost>& across(size_t from, size_t to, Ends ends);

  /// Lowers `least`, per face of `end`, to `sum` plus the least cost of trees
  /// that are linked to `end` and together have `ends`. If the maker is one of
  /// `ends`, one of these trees serves `end`.
  void lower(std::vector<Cost>& least, const std::vector<Cost>& sum, size_t end,
             Ends ends);
  /// Does the same for `users`: ends after `end`, all of which `end` serves,
  /// directly or not.
  void lowerByUsers(std::vector<Cost>& least, const std::vector<Cost>& sum,
                    size_t end, Ends users);

  size_t numFaces(size_t end) const {
    return problem_.views[fan_.views[end]].numFaces;
  }

  const LinkedProblem& problem_;
  const LinkedProblem::Fan& fan_;
  /// Costs per end and face, divided by the fan's `times`.
  std::vector<std::vector<Cost>> told_;
  std::vector<size_t> toldAt_;
  size_t now_ = 0;
  std::map<std::tuple<size_t, size_t, Ends>, Part> parts_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_FAN_H_
