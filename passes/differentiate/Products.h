// Which results a layer keeps that keeps products.

#ifndef PASSES_DIFFERENTIATE_PRODUCTS_H_
#define PASSES_DIFFERENTIATE_PRODUCTS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Whether Kept::Products keeps the results of `op`: whether `op` is a call, or
/// computes many floating-point operations for each element that it reads or
/// writes. An op of a plug-in counts as its loops say (LoopNest.h).
bool isProduct(Operation* op);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_PRODUCTS_H_
