// The least memory that a plan needs, whatever its time.
//
// Plans are compared by bytes as Counting::Ample counts them (Memory.h), which
// is close to what they take after buffers are laid out. Bounds use
// Counting::Certain, so that they hold for the allocated memory.
//
// The memory of a plan is that of its worst moment; the minimum over all plans
// is searched. For any weights w of moments, which add up to 1,
//
//   min over plans x of the sum of w_m bytes_m(x)
//
// is a lower bound: the maximum over moments is no less than a mean. The
// weights with the highest bound are those of the best mixture of plans
// (Mixture.h), and each bound comes with a plan. A moment is added when it is
// the worst moment of a plan. When the mixture is the best, other moments at
// which its plans take much are added. (This is a two-player game of plans
// against moments. Its value in mixed strategies is the bound.)

#ifndef PASSES_SEARCH_CHEAPEST_LEASTMEMORY_H_
#define PASSES_SEARCH_CHEAPEST_LEASTMEMORY_H_

#include <optional>

#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/problem/Problem.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// The answer of fitsInto().
enum class Fit {
  Yes,      // a plan fits, by Counting::Ample
  No,       // proven: no plan fits, by Counting::Certain
  Close,    // no known plan fits; nothing is proven
  TooLarge  // the search would take too much
};

/// Searches a plan that takes at most `memoryBytes`, or the proof that there is
/// none. Returns Fit::Close if it finds neither, also because `run` is over.
Fit fitsInto(const DecisionGraph& graph, double memoryBytes,
             Movements& movements, const SearchRun& run);

/// The result of leastMemory().
struct LeastMemory {
  /// The known plan with the least memory, and its bytes by Counting::Ample.
  Assignment assignment;
  double bytes = kInfiniteCost;
  /// Lower bound of the bytes that any plan allocates; 0 if none is known.
  double bound = 0;
};

/// Returns the least memory of a plan, as far as it is known after some thirty
/// seconds or when `run` is over. Returns nullopt if the search would take too
/// much, or if pins exclude all plans.
std::optional<LeastMemory> leastMemory(const DecisionGraph& graph,
                                       Movements& movements,
                                       const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHEAPEST_LEASTMEMORY_H_
