// Two assignments, each where it is better: as much of the cheaper one as fits.
//
// Where two assignments differ, they mostly do so in parts that no table links.
// So each part can be had from either, and what it costs and uses more does not
// depend on the others:
//
//   a -- b -- c -- d -- e      fits      0 0 0 0 0
//                              cheaper   1 0 1 1 0   but uses too much
//
//   parts   {a}      saves  6 for 2 bytes
//           {c, d}   saves 10 for 5 bytes, of which there are 3:  1 0 0 0 0
//
// The layers of a network are often such parts: sums of gradients may lie whole
// in some of them, and split in as many others as memory asks for.

#ifndef PASSES_SEARCH_SOLVERS_BLEND_H_
#define PASSES_SEARCH_SOLVERS_BLEND_H_

#include <vector>

#include "passes/search/Problem.h"
#include "passes/search/solvers/Resources.h"

namespace sbp::search {

/// `fitting`, which is within all limits, with parts of `other`: those that
/// save most for what they use, as far as limits go. So it costs no more, and
/// is within the limits.
Assignment blend(const Problem& problem, const std::vector<Resource>& resources,
                 const Assignment& fitting, const Assignment& other);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_BLEND_H_
