// Cuts a function in two, and makes values of the first part arguments of the
// second.
//
//   %two = nn.constant ..                 first:   %h = nn.mul %x, %two
//   %h = nn.mul %x, %two           ->     second:  %two = nn.constant ..
//   %y = nn.mul %h, %two                           %y = nn.mul %taken, %two
//
// A value that the first part has computed (%h) becomes an argument of the
// second part. Constants are made again, and parameters read again, in the
// second part, as this costs less than to keep them.

#ifndef PASSES_DIFFERENTIATE_TAKEVALUES_H_
#define PASSES_DIFFERENTIATE_TAKEVALUES_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Replaces every value of `first` that `function` uses, in the order of their
/// first uses. `first` is the body of another function. A value without
/// operands is replaced by the result of a copy of its op, any other value by
/// `take(value)`.
void takeValues(mlir::func::FuncOp function, mlir::Block& first,
                llvm::function_ref<Value(Value)> take);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_TAKEVALUES_H_
