// What two ops must have in common to do the same: to take the same time and
// the same room at the same types.

#ifndef PASSES_MODULE_OPKEY_H_
#define PASSES_MODULE_OPKEY_H_

#include <tuple>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

/// Name, attributes, types.
using OpKey = std::tuple<const void*, const void*, const void*>;

/// The key of `op` when its operands and results have the types of `type`. What
/// differentiation notes at ops (dialects/nn/DifferentiableOp.h) is no part.
OpKey opKeyOf(Operation* op, mlir::FunctionType type);

}  // namespace sbp

#endif  // PASSES_MODULE_OPKEY_H_
