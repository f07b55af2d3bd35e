// The problem that is solved to place an entry, to look at or to give to other
// solvers (Cfn.h).

#ifndef PASSES_SEARCH_PROGRAM_ENTRYPROBLEM_H_
#define PASSES_SEARCH_PROGRAM_ENTRYPROBLEM_H_

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/search/Problem.h"
#include "passes/search/SearchRun.h"

namespace sbp::search {

/// The problem whose optimum is the time of a cheapest plan, in seconds, for
/// the entry named `entry` of `module`, as if no other entry had been placed
/// and memory had no limit. Fails with a diagnostic if `run` is over before it
/// is there, or if it would be too large to be written down: it has no more
/// than some ten million costs.
FailureOr<Problem> problemOfEntry(ModuleOp module, llvm::StringRef entry,
                                  const Mesh& mesh, const Device& device,
                                  const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_ENTRYPROBLEM_H_
