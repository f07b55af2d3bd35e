// The values of a pipeline's stage that exist for several micro-batches at once
// (Frame::Hold).

#ifndef PASSES_SEARCH_READING_HOLDS_H_
#define PASSES_SEARCH_READING_HOLDS_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/reading/Correspondence.h"

namespace sbp::search {

/// Returns the holds of `function`, one of `correspondence`: from each forward
/// of a stage that it calls to the stage's backward, and from the backward of
/// inputs to that of weights, with the numbers of inFlightOf()
/// (passes/stages/InFlight.h). Empty if the forwards have no such numbers.
SmallVector<Frame::Hold, 2> holdsOf(mlir::func::FuncOp function,
                                    const Correspondence& correspondence);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_HOLDS_H_
