// States of a decision: the signatures of its ops, and their costs.

#ifndef PASSES_SEARCH_READING_STATES_H_
#define PASSES_SEARCH_READING_STATES_H_

#include <optional>

#include "dialects/sbp/Device.h"
#include "passes/localize/CommunicatingOps.h"
#include "passes/plan/Plan.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/reading/CertainLives.h"
#include "passes/search/reading/Correspondence.h"
#include "passes/search/reading/KernelRoom.h"
#include "passes/search/reading/OpenDecisions.h"
#include "passes/search/reading/PlacementSpace.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// Returns the decision of `open` with its states: those in which its
/// followers have a legal signature too. An op that has a signature in `plan`
/// keeps it. The decision has no states if no signature remains. Returns
/// nullopt if `run` is over. `kernelRoom` has the scratch memory of ops;
/// `communicatingOps` has the costs of ops that communicate themselves.
std::optional<Decision> statesOf(
    const OpenDecision& open, const Correspondence& correspondence,
    const PlacementSpace& space, const Device& device, const Plan& plan,
    KernelRoom& kernelRoom, CommunicatingOps& communicatingOps,
    CertainLives& lives, PlacementTable& placements, const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_STATES_H_
