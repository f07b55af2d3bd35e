// The method that chooses the placements that pins leave open.

#ifndef PASSES_PLACEMENT_PLACEBY_H_
#define PASSES_PLACEMENT_PLACEBY_H_

namespace sbp {

enum class PlaceBy {
  Propagation,  // leave tensors where they are, op by op (Propagation.h)
  Search,       // find the cheapest plan (passes/search/program/SearchPlan.h)
};

}  // namespace sbp

#endif  // PASSES_PLACEMENT_PLACEBY_H_
