// The problem that is solved to place an entry, for inspection or for other
// solvers (Cfn.h).

#ifndef PASSES_SEARCH_PROGRAM_ENTRYPROBLEM_H_
#define PASSES_SEARCH_PROGRAM_ENTRYPROBLEM_H_

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/search/problem/Problem.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// Returns the problem whose optimum is the time of a cheapest plan, in
/// seconds, for the entry named `entry` of `module`, as if no other entry had
/// been placed and memory had no limit. Fails with a diagnostic if `run` is
/// over before the problem is made, if the problem has more than kMaxPrices
/// costs (Pricing.h), or if a tensor has so many uses that no table holds their
/// costs.
FailureOr<Problem> problemOfEntry(ModuleOp module, llvm::StringRef entry,
                                  const Mesh& mesh, const Device& device,
                                  const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_ENTRYPROBLEM_H_
