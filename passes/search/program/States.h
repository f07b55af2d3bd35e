// In which ways a decision can be taken, and what its ops compute in each.

#ifndef PASSES_SEARCH_PROGRAM_STATES_H_
#define PASSES_SEARCH_PROGRAM_STATES_H_

#include <optional>

#include "dialects/sbp/Device.h"
#include "passes/localize/CommunicatingOps.h"
#include "passes/plan/Plan.h"
#include "passes/search/SearchRun.h"
#include "passes/search/program/CertainLives.h"
#include "passes/search/program/Correspondence.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Drafts.h"
#include "passes/search/program/KernelRoom.h"
#include "passes/search/program/PlacementSpace.h"

namespace sbp::search {

/// The states of `draft`: those in which its followers can run too. An op that
/// `plan` knows runs as that says. None if there is no such way; nothing when
/// `run` is over.
/// `kernelRoom` and `communicatingOps` know what ops work in, and what those
/// take that communicate themselves.
std::optional<Decision> statesOf(
    const Draft& draft, const Correspondence& correspondence,
    const PlacementSpace& space, const Device& device, const Plan& plan,
    KernelRoom& kernelRoom, CommunicatingOps& communicatingOps,
    CertainLives& lives, PlacementTable& placements, const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_STATES_H_
