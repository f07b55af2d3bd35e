// Messages within a fan: one tensor, who makes it, and those who use it.
//
// A fan has ends: the maker has number 0, users the numbers that say in which
// order they are served. Each is served from an end before it, from whichever
// that takes least:
//
//          .---------> 2        costs   c01 + min(c02, c12)
//   0 ---> 1 --------'
//
// So a fan costs what the cheapest of some trees does, those in which every end
// but the maker hangs on one with a smaller number. What an end is told is the
// least of all trees, and in a tree messages are exact: they go from end to
// end, where each adds what it told the fan itself. Trees have parts in common,
// and a part that begins at `from`, leads to `to` and has certain ends beyond
// is the same in all of them: it is kept until one of these ends tells
// something else.

#ifndef PASSES_SEARCH_SOLVERS_FAN_H_
#define PASSES_SEARCH_SOLVERS_FAN_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "passes/search/solvers/LinkedProblem.h"

namespace sbp::search {

class FanMessages {
 public:
  /// Both must outlive this. At first all ends tell nothing.
  FanMessages(const LinkedProblem& problem, const LinkedProblem::Fan& fan);

  /// From now on `end` costs that much beside, per face.
  void tell(size_t end, const std::vector<Cost>& costs);

  /// What `end` has told, per face.
  std::vector<Cost> toldBy(size_t end) const;

  /// Per face of `end`, the least that the fan costs and its other ends tell.
  std::vector<Cost> hear(size_t end);

 private:
  /// Ends, a bit for each.
  using Ends = uint32_t;

  struct Part {
    std::vector<Cost> costs;  // per face of the end that it leads to
    size_t madeAt = 0;
  };

  static Ends only(size_t end) { return Ends{1} << end; }
  static bool has(Ends ends, size_t end) { return ends & only(end); }

  /// Per face of `to`, the least of `ends`, which hang together, where `from`,
  /// one of them, hangs on `to` or `to` on it.
  const std::vector<Cost>& across(size_t from, size_t to, Ends ends);

  /// Lowers `least` to what `ends` cost when they hang on `end`, or it on one
  /// of them, beside `sum` per face.
  void lower(std::vector<Cost>& least, const std::vector<Cost>& sum, size_t end,
             Ends ends);
  /// The same for ends that come after `end` and hang on it.
  void lowerByUsers(std::vector<Cost>& least, const std::vector<Cost>& sum,
                    size_t end, Ends users);

  size_t numFaces(size_t end) const {
    return problem_.views[fan_.views[end]].numFaces;
  }

  const LinkedProblem& problem_;
  const LinkedProblem::Fan& fan_;
  /// In units of the fan's costs.
  std::vector<std::vector<Cost>> told_;
  std::vector<size_t> toldAt_;
  size_t now_ = 0;
  std::map<std::tuple<size_t, size_t, Ends>, Part> parts_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_FAN_H_
