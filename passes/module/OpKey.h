// A key of an op. Ops with equal keys compute the same function on tensors of
// the same types, and so take the same time and memory.

#ifndef PASSES_MODULE_OPKEY_H_
#define PASSES_MODULE_OPKEY_H_

#include <tuple>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

/// Name, attributes and types of an op, as MLIR's unique pointers. Keys compare
/// only within one MLIRContext.
using OpKey = std::tuple<const void*, const void*, const void*>;

/// Returns the key that `op` would have if the types of its operands and
/// results were those of `type`. Leaves out the attributes that differentiation
/// adds (dialects/nn/DifferentiableOp.h).
OpKey opKeyOf(Operation* op, mlir::FunctionType type);

}  // namespace sbp

#endif  // PASSES_MODULE_OPKEY_H_
