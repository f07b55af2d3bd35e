// Searched plans that fit into memory as their buffers lie.
//
// The search knows how many bytes tensors and kernels take at once, but not how
// buffers lie in the arena of a rank, which may leave gaps between them. There
// are hardly any (codegen/plan/PlanBuffers.h), and a plan mostly takes less
// than was reckoned with, as results overwrite operands. Where a plan takes
// more than there is all the same, another is searched, within a limit that is
// lower by what was too much:
//
//   a device has    searched within    plan takes, laid out
//     1,000,000         1,000,000          1,050,000
//     1,000,000           950,000            970,000   it is this one
//
// A search within so little may find no plan, though one between the two would
// do; so limits between are tried too.

#ifndef CODEGEN_DRIVER_FITMEMORY_H_
#define CODEGEN_DRIVER_FITMEMORY_H_

#include <optional>
#include <string>

#include "codegen/cpu/Target.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/search/SearchRun.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// The largest arena of a program.
struct LargestArena {
  std::string entry;
  int64_t rank = 0;  // the first that has it
  double bytes = 0;
};

LargestArena largestArena(const plan::Plan& plan);

/// That of `module`, in any form from the placed one to the local one, which
/// stays as it is; nothing, without a diagnostic, if no plan can be built. And
/// nothing if all that is needed at once is far below `memoryBytes`: to lay out
/// a program takes much longer the more micro-batches it has.
std::optional<LargestArena> arenaOf(ModuleOp module, const cpu::Target& target,
                                    double memoryBytes);

/// The seconds that one more search may take, of all those that `searches` may:
/// at least one, in which a plan is found.
double secondsOfSearch(const search::SearchRun& searches);

/// Searches and places within so many bytes; nothing if the arena is not known.
using PlanAttempt =
    llvm::function_ref<FailureOr<std::optional<LargestArena>>(double limit)>;

/// Calls `attempt`, first with `memoryBytes`, what a device has, and then with
/// less, as remarks at `loc` say, until the plan fits; the last call is the one
/// that counts. Fails if the first one does, or, after a diagnostic, if no plan
/// that is found fits. What is not known fits.
LogicalResult searchUntilItFits(Location loc, double memoryBytes,
                                PlanAttempt attempt);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_FITMEMORY_H_
