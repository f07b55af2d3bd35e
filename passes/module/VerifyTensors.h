// The check of a program's values that every pass relies on.
//
// MLIR has functions without a body, and values of any type; here a program is
// closed, and computes with tensors whose sizes are known and can be reckoned
// with. Whoever reads a program says so before anything else looks at it.

#ifndef PASSES_MODULE_VERIFYTENSORS_H_
#define PASSES_MODULE_VERIFYTENSORS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Fails with one diagnostic at a function of `module` without a body, at an
/// argument, a result or an op of a function that is no ranked tensor, at a
/// tensor that is too large, or at an entry that runs too many ops.
LogicalResult verifyTensors(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_MODULE_VERIFYTENSORS_H_
