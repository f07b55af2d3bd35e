// Plans of families whose workers have several stages, by descent from an even
// cut: one boundary after the other is moved as long as the table gets faster.
//
// A worker gives its stages the fastest ways that fit together: all begin with
// their fastest way; as long as they do not fit, the stage that saves the most
// bytes per second takes its next smaller way.

#ifndef PASSES_SEARCH_PIPELINE_CUTDESCENT_H_
#define PASSES_SEARCH_PIPELINE_CUTDESCENT_H_

#include <cstdint>
#include <vector>

#include "passes/search/pipeline/FamilyTable.h"
#include "passes/search/pipeline/Incumbent.h"
#include "passes/search/pipeline/SearchedCase.h"
#include "passes/search/pipeline/StageFronts.h"

namespace sbp::search {

/// Searches for plans of a case and a family from an even cut, and puts the
/// best one into `incumbent` if it is better. Simulates at most
/// JointSearchTuning::maxTables tables, and a single one if the even cut is
/// much slower than the incumbent. Returns the seconds of the best plan;
/// infinite if none fits.
double descendFromEvenCut(SearchedCase& searched, int64_t family,
                          const FamilyTable& table, Incumbent& incumbent);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_CUTDESCENT_H_
