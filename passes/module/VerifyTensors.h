// The check of a program's values that every pass relies on.
//
// MLIR allows functions without a body and values of any type. In this project,
// a program must be closed, and compute with tensors of known, limited size. A
// pass that may be the first to run on a program that was read verifies this.

#ifndef PASSES_MODULE_VERIFYTENSORS_H_
#define PASSES_MODULE_VERIFYTENSORS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Verifies `module`. Fails with one diagnostic at the first of these faults:
///
/// - a function without a body;
/// - an argument or result of a function, or a result of an op, that is not a
///   ranked tensor;
/// - a tensor with a dynamic shape, elements that are not numbers, too many
///   dimensions or too many bytes;
/// - an op whose loops do not fit its tensors (VerifyAttached.h);
/// - an entry that runs too many ops (CountOps.h).
LogicalResult verifyTensors(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_MODULE_VERIFYTENSORS_H_
