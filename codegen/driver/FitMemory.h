// Searched plans that fit into memory as their buffers lie.
//
// The search counts tensors, each in memory of its own (search/program/
// Memory.h). What a rank allocates is known when the buffers of a plan have
// their places: less, as results overwrite operands, or more, as there are gaps
// between buffers. So a plan is laid out before it is believed:
//
//   1. The fastest plan is searched that counts no more than a device has. If
//      it takes more, laid out, another one is searched, within a limit that is
//      lower by what was too much:
//
//        a device has    searched within    plan takes, laid out
//          1,000,000         1,000,000          1,050,000
//          1,000,000           950,000            970,000   it is this one
//
//      A search within so little may find no plan, though one between the two
//      would do; so limits between are tried too.
//   2. If none is found, a plan that takes little is, whatever its time and
//      whatever there is. It may fit, laid out; then so may a faster one that
//      counts a little more than there is.
//   3. If it does not, it is what the error is about: what it takes, laid out,
//      is enough memory for certain, as with so much step 2 finds it again.

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

/// What plan to look for.
struct PlanQuestion {
  double memoryBytes = 0;    // of a device
  int64_t microBatches = 1;  // 0: the program's own number
  SearchGoal goal = SearchGoal::Time;
};

/// `options` for a search of an answer to `question`. That for the fastest plan
/// shares with others the seconds that `searches` has left, and has at least
/// one, in which a plan is found. One for little memory has all that a search
/// may take: what it finds is not to depend on what was asked before.
PipelineOptions optionsFor(const PlanQuestion& question,
                           const search::SearchRun& searches,
                           PipelineOptions options);

/// Searches a plan and places by it; returns the bytes of its largest arena, or
/// nothing if that is not known.
using PlanAttempt =
    llvm::function_ref<FailureOr<std::optional<double>>(const PlanQuestion&)>;

/// The use of the largest arena of the plan that was found last.
using LastArena = llvm::function_ref<std::optional<ArenaUse>()>;

/// Calls `attempt` until a plan is found that answers `question` and takes no
/// more memory, laid out; the last call is the one that counts. What is not
/// known fits. Fails after a diagnostic where an attempt does for another
/// reason than memory, or where no plan fits. The latter names the bytes of a
/// plan that is found, and a bound for all; when it takes most, and for what;
/// and what would help. Diagnostics about no op are at `loc`.
LogicalResult searchUntilItFits(Location loc, const PlanQuestion& question,
                                PlanAttempt attempt, LastArena lastArena);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_FITMEMORY_H_
