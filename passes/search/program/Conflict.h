// Which pins leave no plan that fits.

#ifndef PASSES_SEARCH_PROGRAM_CONFLICT_H_
#define PASSES_SEARCH_PROGRAM_CONFLICT_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/plan/Plan.h"
#include "passes/search/SearchRun.h"

namespace sbp::search {

/// Where the pins stand that together with the memory of `device` are proven to
/// leave no plan for `entry`: without any one of them, that is no longer so.
/// None if without any pin no plan is found either, if nothing is proven, or if
/// what `decided` says, a plan for entries before, leaves none.
///
/// What stands at one place of the model is one pin, wherever it went when the
/// program was differentiated. Of n pins it asks for some log2(n) sets per pin
/// that it names whether a plan fits (LeastMemory.h); where that does not end
/// soon, or when `run` is over, it names more pins than need be.
SmallVector<Location> conflictingPins(mlir::func::FuncOp entry,
                                      const Mesh& mesh, const Device& device,
                                      const Plan& decided,
                                      const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_CONFLICT_H_
