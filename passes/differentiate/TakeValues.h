// Cutting a function in two: what its second part takes of the first.
//
//   %two = nn.constant ..                 first:   %h = nn.mul %x, %two
//   %h = nn.mul %x, %two           ->     second:  %two = nn.constant ..
//   %y = nn.mul %h, %two                           %y = nn.mul %taken, %two
//
// A value that the first part has computed is taken (%h), as an argument of the
// second. To make a constant again, or to read a parameter again, costs less
// than to keep it.

#ifndef PASSES_DIFFERENTIATE_TAKEVALUES_H_
#define PASSES_DIFFERENTIATE_TAKEVALUES_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Replaces in `function` every value of `first`, the body of another one, in
/// the order of its first use: by a copy of the op that makes it of nothing, or
/// else by what `take` gives.
void takeValues(mlir::func::FuncOp function, mlir::Block& first,
                llvm::function_ref<Value(Value)> take);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_TAKEVALUES_H_
