// The time that an op of a program computes.

#ifndef PASSES_COST_OPCOST_H_
#define PASSES_COST_OPCOST_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Returns the element type that `op` computes with: the first float type among
/// its results and then its operands; if none is a float, the first element
/// type.
ScalarType computedType(Operation* op);

/// Returns the seconds of `op` on a device that does `flops` of its
/// floating-point operations and reads and writes `bytes`, by the roofline of
/// the op's computed type.
double opSeconds(const Device& device, Operation* op, double flops,
                 double bytes);

}  // namespace sbp

#endif  // PASSES_COST_OPCOST_H_
