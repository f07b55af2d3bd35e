// Which values are weights: parameters, and what is made of them alone.
//
//   %w = nn.get @w                      a weight
//   %t = nn.reshape %w                  so is this
//   %y = nn.einsum "bi,ij->bj" %x, %t   and this is not, for %x is none
//
// Where a backward is in halves (SplitBackward.h), the gradients of weights are
// made by the second half.

#ifndef PASSES_DIFFERENTIATE_WEIGHTS_H_
#define PASSES_DIFFERENTIATE_WEIGHTS_H_

#include <vector>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// The weights of `function` when the arguments with a true flag are.
llvm::DenseSet<Value> weightsOf(mlir::func::FuncOp function,
                                const std::vector<bool>& weightArguments);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_WEIGHTS_H_
