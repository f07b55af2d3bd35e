// The check of a program's values that every pass relies on.
//
// MLIR allows functions without a body and values of any type. Here a program
// must be closed, and compute with tensors of known, limited size. Every pass
// that starts from a program that was read verifies this first.

#ifndef PASSES_MODULE_VERIFYTENSORS_H_
#define PASSES_MODULE_VERIFYTENSORS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Fails with one diagnostic at a function of `module` without a body; at an
/// argument or result of a function, or a result of an op, that is not a ranked
/// tensor; at a tensor with a dynamic shape, elements that are no numbers, too
/// many dimensions or too many bytes; at an op with loops that do not fit its
/// tensors (VerifyAttached.h); or at an entry that runs too many ops
/// (CountOps.h).
LogicalResult verifyTensors(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_MODULE_VERIFYTENSORS_H_
