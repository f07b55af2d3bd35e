// Searches for plans until one fits into the memory of a device.
//
// A plan's memory is measured in two ways. The search adds up the bytes of the
// tensors that are live at once, each in memory of its own
// (passes/search/decisions/Memory.h): the counted bytes. What a rank allocates
// is an arena, in which the buffers of one entry are laid out
// (codegen/plan/EntryMemory.h). An arena may be smaller than the counted bytes,
// because results overwrite operands, or larger, because of gaps between
// buffers. A plan fits if its largest arena fits. So every plan that is found
// is laid out:
//
//   1. Search for the fastest plan whose counted bytes fit a device's memory.
//      If its arena is larger than that memory, search again within a limit
//      that is lower by the excess:
//
//        device memory     limit of search    arena of the plan
//          1,000,000         1,000,000          1,050,000
//          1,000,000           950,000            970,000   accepted
//
//      The limit is lowered further, in growing steps, as long as the plan does
//      not fit. Once a search finds no plan, the limits between the limit of
//      that search and the last limit with a plan are bisected. At most six
//      searches follow the first.
//   2. If no plan of step 1 fits, search for a plan that takes little memory,
//      however slow it is. If that plan fits, and the first search of step 1
//      found no plan at all, search once more for the fastest plan, with
//      counted bytes up to 1.15 times the memory: the result is that plan if it
//      fits, else the plan that takes little memory. Fail if the search for
//      little memory finds no plan, or if the size of its arena is unknown.
//   3. If the plan of step 2 does not fit, fail with an error that states the
//      size of its arena. On a device with that much memory, step 2 would find
//      the same plan, and it would fit.

#ifndef CODEGEN_DRIVER_FITMEMORY_H_
#define CODEGEN_DRIVER_FITMEMORY_H_

#include <cstdint>
#include <optional>

#include "codegen/driver/ArenaUse.h"
#include "dialects/sbp/Kept.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/Pipelines.h"
#include "passes/search/program/SearchGoal.h"
#include "passes/search/run/SearchRun.h"

namespace sbp {

/// The goal of a search for a plan, and its conditions.
struct PlanQuestion {
  // Limit of the counted bytes per device. A search for little memory ignores
  // it.
  double memoryBytes = 0;
  int64_t microBatches = 1;  // 0: as many as the schedule has
  SearchGoal goal = SearchGoal::Time;
  Kept kept = Kept::All;                 // what layers without a mark keep
  FitEffort effort = FitEffort::Advice;  // Fastest: step 1 only
};

/// Returns `options` with the limit, micro-batches, kept values and goal of
/// `question`. A search for the fastest plan gets the seconds that `searches`
/// has left, but at least one second. A search for little memory keeps the
/// seconds of `options`, so that its result does not depend on earlier
/// searches.
PipelineOptions optionsFor(const PlanQuestion& question,
                           const search::SearchRun& searches,
                           PipelineOptions options);

/// A function that searches for the plan that the question describes, and
/// places the model by it. Returns the bytes of the largest arena of any rank
/// and entry, or nullopt if they are not known. Fails, with diagnostics, if no
/// plan is found.
using PlanAttempt =
    llvm::function_ref<FailureOr<std::optional<double>>(const PlanQuestion&)>;

/// A function that returns the size and the content of the largest arena of the
/// plan that the last attempt found; nullopt if the memory cannot be laid out.
using LastArena = llvm::function_ref<std::optional<ArenaUse>()>;

/// Takes the three steps above, for a device with `question.memoryBytes` of
/// memory, and for the micro-batches and kept values of `question`. The goal of
/// `question` is ignored. Every search is a call of `attempt`. On success, the
/// plan of the last call is the result. In searches for the fastest plan, an
/// arena of unknown size counts as fitting.
///
/// A search for the fastest plan that fails counts as one that finds no plan,
/// whatever the reason. If the search of step 2 fails, the errors of the first
/// search are emitted, or if there are none, the diagnostics of step 2.
///
/// The error of step 3 is at the entry with the largest arena, or at `loc` if
/// that entry is not known. Its notes have: a lower bound of the memory of all
/// plans, if there is one; the moment when most memory is needed, and its
/// largest tensors; the pins that leave no plan; and what would help, such as
/// more micro-batches.
LogicalResult searchUntilItFits(Location loc, const PlanQuestion& question,
                                PlanAttempt attempt, LastArena lastArena);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_FITMEMORY_H_
