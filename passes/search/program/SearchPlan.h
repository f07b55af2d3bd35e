// The cheapest plan for a program.

#ifndef PASSES_SEARCH_PROGRAM_SEARCHPLAN_H_
#define PASSES_SEARCH_PROGRAM_SEARCHPLAN_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/placement/Plan.h"

namespace sbp::search {

/// What the search found for one entry.
struct EntryCost {
  std::string entry;
  double seconds = 0;     // of one run of the entry
  double lowerBound = 0;  // no plan takes less
};

struct SearchedPlan {
  Plan plan;
  std::vector<EntryCost> entries;
};

/// Searches a plan for all entries of `module`, a differentiated program whose
/// pins fit `mesh`. Entries that train come first, since it is they that take
/// the time; what they decide on parameters and shared functions binds the
/// others. Says by a remark where a plan is not proven to be the cheapest.
FailureOr<SearchedPlan> searchPlan(ModuleOp module, const Mesh& mesh);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_SEARCHPLAN_H_
