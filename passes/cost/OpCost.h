// How long an op of a program computes.

#ifndef PASSES_COST_OPCOST_H_
#define PASSES_COST_OPCOST_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// The type that `op` computes with: the first of floats among its tensors, or
/// else the first.
ScalarType computedType(Operation* op);

/// Seconds of `op` on a device that does `flops` of it and reads and writes
/// `bytes`, by the roofline of the type that it computes with.
double opSeconds(const Device& device, Operation* op, double flops,
                 double bytes);

}  // namespace sbp

#endif  // PASSES_COST_OPCOST_H_
