// Which pins leave no plan that fits.

#ifndef PASSES_SEARCH_PROGRAM_CONFLICT_H_
#define PASSES_SEARCH_PROGRAM_CONFLICT_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/placement/Plan.h"

namespace sbp::search {

/// Where the pins stand that together with the memory of `device` leave no plan
/// for `entry`, for which none was found: without any one of them, the others
/// as they are, one is found. None if there would be no plan without any pin,
/// or if what `decided` says, a plan for entries before, leaves none.
///
/// What stands at one place of the model is one pin, wherever it went when the
/// program was differentiated. Takes a search per pin.
SmallVector<Location> conflictingPins(mlir::func::FuncOp entry,
                                      const Mesh& mesh, const Device& device,
                                      const Plan& decided);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_CONFLICT_H_
