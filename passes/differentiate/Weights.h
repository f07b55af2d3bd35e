// Finds the values that are weights: parameters, and values that are computed
// from parameters and constants alone.
//
//   %w = nn.get @w                      a weight
//   %t = nn.reshape %w                  a weight, too
//   %y = nn.einsum "bi,ij->bj" %x, %t   no weight, because %x is not one
//
// If a backward function is in halves (SplitBackward.h), its second half makes
// the gradients of weights.

#ifndef PASSES_DIFFERENTIATE_WEIGHTS_H_
#define PASSES_DIFFERENTIATE_WEIGHTS_H_

#include <vector>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Returns the values of `function` that are weights. `weightArguments[i]` says
/// whether argument i is a weight.
llvm::DenseSet<Value> weightsOf(mlir::func::FuncOp function,
                                const std::vector<bool>& weightArguments);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_WEIGHTS_H_
