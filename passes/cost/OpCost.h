// The time that one op of a program takes to compute.

#ifndef PASSES_COST_OPCOST_H_
#define PASSES_COST_OPCOST_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Returns the element type that `op` computes with: the first float type among
/// its results and then its operands. If none is a float, returns the element
/// type of the first result (of the first operand if there is no result).
ScalarType computedType(Operation* op);

/// Returns the seconds that `device` takes for its part of `op`, by the
/// roofline (Roofline.h) of computedType(op). The part has `flops`
/// floating-point operations, and reads and writes `bytes` bytes.
double opSeconds(const Device& device, Operation* op, double flops,
                 double bytes);

}  // namespace sbp

#endif  // PASSES_COST_OPCOST_H_
