// Blending of two assignments: one that fits its limits, and a cheaper one that
// does not. The first is changed to the second in as many parts as the limits
// allow.
//
// The variables in which two assignments differ mostly fall into parts, such
// that no table has variables of two parts. Each part can be taken from either
// assignment. The difference that this makes in cost and uses (Resources.h)
// does not depend on the other parts:
//
//   a -- b -- c -- d -- e      fits      0 0 0 0 0
//                              cheaper   1 0 1 1 0   but uses too much
//
//   parts   {a}      saves  6 for 2 bytes
//           {c, d}   saves 10 for 5 bytes
//
//   blend, if 3 bytes are left   1 0 0 0 0
//
// Layers of a network are often such parts: the sums of gradients may be kept
// whole in some layers, and split in the other layers to save memory.

#ifndef PASSES_SEARCH_SOLVERS_BLEND_H_
#define PASSES_SEARCH_SOLVERS_BLEND_H_

#include <vector>

#include "passes/search/problem/Problem.h"
#include "passes/search/problem/Resources.h"

namespace sbp::search {

/// Returns `fitting`, with parts of `other`. `fitting` must be within all
/// limits. Parts are taken greedily: those that save the most cost per use
/// first, each if what is left of the limits allows it. The result costs no
/// more than `fitting`, and is within the limits.
Assignment blend(const Problem& problem, const std::vector<Resource>& resources,
                 const Assignment& fitting, const Assignment& other);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_BLEND_H_
