// Ties of mesh axes: tied axes have the same component in each placement.
//
// With ties there are far fewer plans, as if a level, or the whole mesh, were
// one axis: two tied axes of two devices that split the rows are like one axis
// of four. An axis of one device is never tied.

#ifndef PASSES_SEARCH_SYMMETRY_AXISTIES_H_
#define PASSES_SEARCH_SYMMETRY_AXISTIES_H_

#include <cstdint>
#include <vector>

#include "dialects/sbp/Algebra.h"

namespace sbp::search {

/// The ties between axes.
enum class AxisTies { None, OfALevel, OfTheMesh };

/// Returns, per axis of `mesh`, the number of its group, from 0 on. The axes of
/// a group are tied.
std::vector<int64_t> groupsOf(const Mesh& mesh, AxisTies ties);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SYMMETRY_AXISTIES_H_
