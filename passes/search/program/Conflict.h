// Pins that leave no plan that fits.

#ifndef PASSES_SEARCH_PROGRAM_CONFLICT_H_
#define PASSES_SEARCH_PROGRAM_CONFLICT_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/plan/Plan.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// Returns the places of a minimal set of pins that leave `entry` no plan that
/// fits into the memory of `device`. This is proven. Returns an empty set if no
/// plan is found without pins either, if nothing is proven, or if `decided`, a
/// plan for earlier entries, is not empty.
///
/// All pins at one place of the model are one pin; differentiation may have
/// copied it. If there are n pins, each pin of the result takes some log2(n)
/// checks of whether a plan fits (LeastMemory.h). If there would be too many
/// checks, or `run` is over, the set may not be minimal.
SmallVector<Location> conflictingPins(mlir::func::FuncOp entry,
                                      const Mesh& mesh, const Device& device,
                                      const Plan& decided,
                                      const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_CONFLICT_H_
