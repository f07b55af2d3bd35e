// How little memory a plan can do with, whatever time it takes.
//
// Plans are looked for as bytes are counted amply (Memory.h), which is close to
// what they take when buffers lie; and then bounds, as they are counted for
// certain, so that they are bounds for what is allocated.
//
// The most that a plan takes is that of its worst moment; the least of all
// plans is to be found. For any weights w of moments, which add up to 1,
//
//   min over plans x of the sum of w_m bytes_m(x)
//
// is a bound: what x takes at its worst is no less than an average. Weights
// with the highest bound are those of the best mixture of plans (Mixture.h),
// and every bound comes with a plan. Moments are looked at when the worst of a
// plan is one of them; and where the mixture is the best, others at which its
// plans take much. (Plans and moments play a game of two; its value, in
// mixtures, is the bound.)

#ifndef PASSES_SEARCH_PROGRAM_LEASTMEMORY_H_
#define PASSES_SEARCH_PROGRAM_LEASTMEMORY_H_

#include <optional>

#include "passes/search/Problem.h"
#include "passes/search/SearchRun.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Movements.h"

namespace sbp::search {

enum class Fit {
  Yes,      // a plan is found, as bytes are counted amply
  No,       // proven for what is allocated
  Close,    // plans that were seen take more, which proves nothing
  TooLarge  // there is too much to look at
};

/// Whether a plan takes at most `memoryBytes`. Looks no further than it takes
/// to know whether there is a proof that none does, nor longer than `run`.
Fit fitsInto(const DecisionGraph& graph, double memoryBytes,
             Movements& movements, const SearchRun& run);

struct LeastMemory {
  /// Of all plans that were seen the one that takes least; and the bytes that
  /// it takes, counted amply.
  Assignment assignment;
  double bytes = kInfiniteCost;
  /// No plan allocates less.
  double bound = 0;
};

/// How little memory a plan can do with; where it takes long to tell, what is
/// known after some thirty seconds, or when `run` is over. Nothing when there
/// is too much to look at, or when pins exclude all plans.
std::optional<LeastMemory> leastMemory(const DecisionGraph& graph,
                                       Movements& movements,
                                       const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_LEASTMEMORY_H_
