// Searches plans until one fits into memory as its buffers are laid out.
//
// The search counts tensors, each in memory of its own (search/program/
// Memory.h). The bytes that a rank allocates are known only when the buffers of
// a plan are laid out: fewer, as results overwrite operands, or more, because
// of gaps between buffers. So every plan that is found is laid out:
//
//   1. Search the fastest plan whose count is at most a device's memory. If its
//      arena is larger than that, search again within a limit that is lower by
//      the excess:
//
//        device memory     limit of search    arena of the plan
//          1,000,000         1,000,000          1,050,000
//          1,000,000           950,000            970,000   accepted
//
//      A search within the lower limit may find no plan though one in between
//      would fit, so limits in between are tried too.
//   2. If step 1 finds none, search a plan of little memory, whatever its time
//      and its count. Its arena may fit; then a faster plan may also fit whose
//      count is a little above the device's memory.
//   3. If that does not fit either, the error states its arena. So much memory
//      certainly suffices, since step 2 finds the same plan again.

#ifndef CODEGEN_DRIVER_FITMEMORY_H_
#define CODEGEN_DRIVER_FITMEMORY_H_

#include <cstdint>
#include <optional>

#include "codegen/driver/ArenaUse.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/Pipelines.h"
#include "passes/search/SearchRun.h"
#include "passes/search/program/SearchGoal.h"

namespace sbp {

/// The plan that is asked for.
struct PlanQuestion {
  double memoryBytes = 0;    // limit of the search, per device
  int64_t microBatches = 1;  // 0: the number that the program has
  SearchGoal goal = SearchGoal::Time;
};

/// Returns `options` changed for a search that answers `question`. A search for
/// the fastest plan gets the seconds that `searches` has left, but at least
/// one, in which it finds some plan. A search for little memory gets the full
/// time, so that its result does not depend on earlier searches.
PipelineOptions optionsFor(const PlanQuestion& question,
                           const search::SearchRun& searches,
                           PipelineOptions options);

/// Searches a plan, places by it, and returns the bytes of its largest arena;
/// nothing if they are not known.
using PlanAttempt =
    llvm::function_ref<FailureOr<std::optional<double>>(const PlanQuestion&)>;

/// Returns the use of the largest arena of the plan that was found last.
using LastArena = llvm::function_ref<std::optional<ArenaUse>()>;

/// Calls `attempt` until it has found a plan that answers `question` and whose
/// arena fits; the plan of the last call is the result. An arena of unknown
/// size counts as fitting. Fails after a diagnostic if an attempt fails for
/// another reason than memory, or no plan fits. The latter diagnostic names the
/// arena of the smallest plan found and a bound for all plans, the moment when
/// most memory is needed and its use, and what would help. Diagnostics about no
/// op are at `loc`.
LogicalResult searchUntilItFits(Location loc, const PlanQuestion& question,
                                PlanAttempt attempt, LastArena lastArena);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_FITMEMORY_H_
