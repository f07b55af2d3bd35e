// The method that chooses placements where pins leave them open.

#ifndef PASSES_PLACEMENT_PLACEBY_H_
#define PASSES_PLACEMENT_PLACEBY_H_

namespace sbp {

/// The methods that choose placements.
enum class PlaceBy {
  Propagation,  // leave tensors where they are, op by op (Propagation.h)
  Search,       // find the cheapest plan (passes/search/program/SearchPlan.h)
};

}  // namespace sbp

#endif  // PASSES_PLACEMENT_PLACEBY_H_
