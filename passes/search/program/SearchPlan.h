// The search of the cheapest plan for a program.

#ifndef PASSES_SEARCH_PROGRAM_SEARCHPLAN_H_
#define PASSES_SEARCH_PROGRAM_SEARCHPLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/Plan.h"
#include "passes/search/decisions/Memory.h"
#include "passes/search/program/SearchGoal.h"
#include "passes/search/run/SearchRun.h"
#include "passes/search/strategies/SearchSpace.h"
#include "passes/search/strategies/Strategies.h"

namespace sbp::search {

/// The costs of the plan that was found for one entry.
struct EntryCost {
  std::string entry;
  double computing = 0;      // seconds of one run of the entry
  double communicating = 0;  // seconds of one run of the entry
  double lowerBound = 0;     // seconds; no plan that fits takes less
  MemoryParts memory;        // at the peak

  double seconds() const { return computing + communicating; }
  /// Whether the plan is proven the best, up to rounding and the fraction
  /// `gap`.
  bool isProven(double gap = 0) const {
    return seconds() - lowerBound <= (gap + 1e-9) * seconds();
  }
};

/// The result of searchPlan().
struct SearchedPlan {
  Plan plan;
  std::vector<EntryCost> entries;
  /// The named strategies for the first entry. They are searched only if the
  /// plan of the exact search is not proven the best; otherwise empty.
  std::vector<NamedStrategy> strategies;
  /// The limit that ended the search early, such as "60 s".
  std::optional<std::string> endedBy;
};

/// Searches a plan for all entries of `module`, a differentiated program. Its
/// pins must fit `mesh`, whose devices are like `device`. Entries that train
/// are searched first, because they take the most time. Their decisions about
/// parameters and shared functions bind the entries after them.
///
/// With SearchGoal::Time a plan takes at most the memory of the device, as
/// Memory.h counts it. Fails with a diagnostic if no such plan is found. If
/// pins leave none, the diagnostic names them. With SearchGoal::Memory there is
/// no limit; a remark per entry gives the proven least memory of a plan.
///
/// `space` applies to the first entry only; later entries may use all plans
/// that agree with it.
///
/// Ends soon after `run` is over, with the best plans found so far, and once
/// plans are proven up to the gap of `run`. If a plan is not proven that far
/// and `space` is Full, none of the named strategies is better.
FailureOr<SearchedPlan> searchPlan(ModuleOp module, const Mesh& mesh,
                                   const Device& device,
                                   SearchSpace space = SearchSpace::Full,
                                   SearchGoal goal = SearchGoal::Time,
                                   const SearchRun& run = {});

/// Emits a remark for each entry of `module` whose plan is not proven to be the
/// cheapest, up to the fraction `gap` of its time.
void remarkUnproven(ModuleOp module, const SearchedPlan& searched,
                    double gap = 0);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_SEARCHPLAN_H_
