// Plans between the fastest one and the one that keeps the least memory.
//
// A stage of a pipeline keeps parameters, the optimiser's state, sums of
// gradients, and the activations of all micro-batches in flight
// (passes/stages/InFlight.h). The memory that counts here is what is kept when
// a backward begins. What its ops need while they run is left out.

#ifndef PASSES_SEARCH_PROGRAM_SEARCHTRADEOFFS_H_
#define PASSES_SEARCH_PROGRAM_SEARCHTRADEOFFS_H_

#include <cstddef>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/Plan.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// A plan, and its peak memory with one micro-batch in flight, in bytes.
struct TradeOffPlan {
  Plan plan;
  double peakBytes = 0;
};

/// Returns plans for `module`, a differentiated program with one entry, by
/// their time: at most `most` of those that are the fastest at some price of a
/// byte (solvers/TradeOffs.h). The devices of `mesh` are like `device`. Returns
/// the fastest plan alone if no tensor waits for a backward or the search would
/// take too much. Fails with a diagnostic if there is no plan.
FailureOr<std::vector<TradeOffPlan>> searchTradeOffs(ModuleOp module,
                                                     const Mesh& mesh,
                                                     const Device& device,
                                                     size_t most,
                                                     const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_SEARCHTRADEOFFS_H_
