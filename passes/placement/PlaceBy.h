// By what means the placements are found that pins leave open.

#ifndef PASSES_PLACEMENT_PLACEBY_H_
#define PASSES_PLACEMENT_PLACEBY_H_

namespace sbp {

enum class PlaceBy {
  Propagation,  // leaving tensors where they are, op by op (Propagation.h)
  Search,       // the cheapest plan (passes/search/program/SearchPlan.h)
};

}  // namespace sbp

#endif  // PASSES_PLACEMENT_PLACEBY_H_
