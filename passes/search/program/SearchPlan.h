// The cheapest plan for a program.

#ifndef PASSES_SEARCH_PROGRAM_SEARCHPLAN_H_
#define PASSES_SEARCH_PROGRAM_SEARCHPLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/Plan.h"
#include "passes/search/SearchRun.h"
#include "passes/search/program/Memory.h"
#include "passes/search/program/SearchGoal.h"
#include "passes/search/program/SearchSpace.h"
#include "passes/search/program/Strategies.h"

namespace sbp::search {

/// What the search found for one entry.
struct EntryCost {
  std::string entry;
  double computing = 0;      // seconds of one run of the entry
  double communicating = 0;  // the same
  double lowerBound = 0;     // no plan that fits takes less than this in all
  MemoryParts memory;        // when most is needed

  double seconds() const { return computing + communicating; }
  /// Whether no plan takes less, but for rounding.
  bool isProven() const { return seconds() - lowerBound <= 1e-9 * seconds(); }
};

struct SearchedPlan {
  Plan plan;
  std::vector<EntryCost> entries;
  /// Those for the first entry, if they had to be looked at: where its plan is
  /// not proven to be the best, theirs may be.
  std::vector<NamedStrategy> strategies;
  /// The limit that ended the search before all was known, as "60 s".
  std::optional<std::string> endedBy;
};

/// Searches a plan for all entries of `module`, a differentiated program whose
/// pins fit `mesh`, a mesh of devices like `device`. Entries that train come
/// first, since it is they that take the time; what they decide on parameters
/// and shared functions binds the others.
///
/// Where time is the goal, a plan takes at most the memory of the device, as
/// Memory.h counts; fails with a diagnostic where none is found that does,
/// which names the pins that leave none. Where memory is the goal, the device
/// may have any; a remark per entry says how little any plan takes for certain.
///
/// `space` is that of the entry that comes first; those after it are free in
/// what that has not decided.
///
/// Ends with the best plans that it has, none worse than a strategy that has a
/// name, soon after `run` is over.
FailureOr<SearchedPlan> searchPlan(ModuleOp module, const Mesh& mesh,
                                   const Device& device,
                                   SearchSpace space = SearchSpace::Full,
                                   SearchGoal goal = SearchGoal::Time,
                                   const SearchRun& run = {});

/// Says by a remark for which entries of `module` the plan is not proven to be
/// the cheapest.
void remarkUnproven(ModuleOp module, const SearchedPlan& searched);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_SEARCHPLAN_H_
