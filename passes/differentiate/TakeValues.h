// Makes the second part of a function independent of the first part, so that it
// can be a separate function.
//
//   %two = nn.constant ..                 first:   %h = nn.mul %x, %two
//   %h = nn.mul %x, %two           ->     second:  %two = nn.constant ..
//   %y = nn.mul %h, %two                           %y = nn.mul %taken, %two
//
// A value that the first part has computed (%h) becomes an argument of the
// second part (%taken). The second part makes constants again and reads
// parameters again, which costs less than keeping them.

#ifndef PASSES_DIFFERENTIATE_TAKEVALUES_H_
#define PASSES_DIFFERENTIATE_TAKEVALUES_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Replaces all uses in `function` of values of `first`, the body of another
/// function. A value is replaced by the result of a copy of its op if the op
/// has no operands, no regions and one result, and is not a call. Any other
/// value is replaced by `take(value)`. `take` is called once per value, in the
/// order of first uses.
void takeValues(mlir::func::FuncOp function, mlir::Block& first,
                llvm::function_ref<Value(Value)> take);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_TAKEVALUES_H_
