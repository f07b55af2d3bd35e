// Makes the second part of a function a function of its own, which no longer
// uses values of the first part.
//
//   %two = nn.constant ..                 first:   %h = nn.mul %x, %two
//   %h = nn.mul %x, %two           ->     second:  %two = nn.constant ..
//   %y = nn.mul %h, %two                           %y = nn.mul %taken, %two
//
// A value that the first part has computed (%h) becomes an argument of the
// second part (%taken). Constants are made again, and parameters read again, in
// the second part, because this costs less than to keep them.

#ifndef PASSES_DIFFERENTIATE_TAKEVALUES_H_
#define PASSES_DIFFERENTIATE_TAKEVALUES_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Replaces, in `function`, every value of `first`, the body of another
/// function. The only result of an op without operands is replaced by the
/// result of a copy of the op, unless the op is a call. Any other value is
/// replaced by `take(value)`, which is called once per value, in the order of
/// first uses.
void takeValues(mlir::func::FuncOp function, mlir::Block& first,
                llvm::function_ref<Value(Value)> take);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_TAKEVALUES_H_
