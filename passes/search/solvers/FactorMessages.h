// Min-sum messages within a factor (FactorGraph.h): the factor over the maker
// of a tensor and its users.
//
// End 0 of a factor is the maker. The users are the ends 1, 2, ..., in the
// order in which they are served. Each user is served from the earlier end from
// which this is cheapest:
//
//          .---------> 2        costs   c01 + min(c02, c12)
//   0 ---> 1 --------'
//
// So the cost of a factor is a minimum over trees in which each user is linked
// to an earlier end. In one tree messages between ends are exact. The
// min-marginal of an end is the least over all trees. Many trees have a link
// between the same two ends, with the same set of ends beyond it. The message
// across this link is then the same. It is computed once, as the least over all
// subtrees of this set, and kept until the costs of an end of the set change.

#ifndef PASSES_SEARCH_SOLVERS_FACTORMESSAGES_H_
#define PASSES_SEARCH_SOLVERS_FACTORMESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "passes/search/solvers/FactorGraph.h"

namespace sbp::search {

/// The messages of one factor. An end adds costs to the factor by setMessage(),
/// and gets its min-marginals by minMarginal().
class FactorMessages {
 public:
  /// Constructs messages of a factor to which no end has added costs. Both
  /// arguments must outlive this object.
  FactorMessages(const FactorGraph& problem, const FactorGraph::Factor& factor);

  /// Sets the costs that `end` adds to the factor, per projection
  /// (FactorGraph.h) of `end`. They replace the costs that `end` added before.
  void setMessage(size_t end, const std::vector<Cost>& costs);

  /// Returns the costs of the last call of setMessage() for `end`, per
  /// projection; zeros if there was none.
  std::vector<Cost> messageOf(size_t end) const;

  /// Returns the min-marginal of `end`: per projection, the least cost of the
  /// factor together with the costs that the other ends have added.
  std::vector<Cost> minMarginal(size_t end);

 private:
  /// A set of ends, one bit for each.
  using Ends = uint32_t;

  /// A message that is kept, and the value of `now_` when it was computed.
  struct Part {
    std::vector<Cost> costs;  // per projection of the end `to`
    size_t madeAt = 0;
  };

  static Ends only(size_t end) { return Ends{1} << end; }
  static bool has(Ends ends, size_t end) { return ends & only(end); }

  /// Returns the message across the link of `from` and `to`, in whichever
  /// direction it serves: per projection of `to`, the least cost of the link
  /// and of a tree over `ends` with `from` as its root. `ends` has `from`, but
  /// not `to`.
  const std::vector<Cost>& across(size_t from, size_t to, Ends ends);

  /// Lowers `least`, per projection of `end`, to `sum` plus the least cost of
  /// trees that are linked to `end` and together have `ends`. If the maker is
  /// one of `ends`, one of these trees serves `end`.
  void lower(std::vector<Cost>& least, const std::vector<Cost>& sum, size_t end,
             Ends ends);
  /// Does the same for `users`: ends after `end`, all of which `end` serves,
  /// directly or not.
  void lowerByUsers(std::vector<Cost>& least, const std::vector<Cost>& sum,
                    size_t end, Ends users);

  size_t numProjections(size_t end) const {
    return problem_.views[factor_.views[end]].numProjections;
  }

  const FactorGraph& problem_;
  const FactorGraph::Factor& factor_;
  /// Costs per end and projection, divided by the factor's `times`.
  std::vector<std::vector<Cost>> messages_;
  std::vector<size_t> changedAt_;
  size_t now_ = 0;
  std::map<std::tuple<size_t, size_t, Ends>, Part> parts_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_FACTORMESSAGES_H_
