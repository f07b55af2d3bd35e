// Which axes of a mesh do the same.
//
// Where axes are tied there are far fewer plans: as if a level, or the whole
// mesh, were one axis. Two axes of two devices that both split the rows are one
// of four that does. An axis of one device does nothing and is never tied.

#ifndef PASSES_SEARCH_PROGRAM_AXISTIES_H_
#define PASSES_SEARCH_PROGRAM_AXISTIES_H_

#include <cstdint>
#include <vector>

#include "dialects/sbp/Algebra.h"

namespace sbp::search {

enum class AxisTies { None, OfALevel, OfTheMesh };

/// Per axis of `mesh` the number of its group, from 0 on: those of one group do
/// the same.
std::vector<int64_t> groupsOf(const Mesh& mesh, AxisTies ties);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_AXISTIES_H_
