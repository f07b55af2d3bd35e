// Bounds of the plans of one case and family, which a search finds on its way.

#ifndef PASSES_SEARCH_PIPELINE_CASEBOUND_H_
#define PASSES_SEARCH_PIPELINE_CASEBOUND_H_

#include <cstdint>

namespace sbp::search {

/// Bounds of the plans of one case and family.
struct CaseBound {
  int64_t ofCase = 0, family = 0;  // indices in the problem
  double bound = 0;                // seconds; infinite if no plan fits
  double best = 0;  // seconds of a plan that was found; infinite if none was
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_CASEBOUND_H_
