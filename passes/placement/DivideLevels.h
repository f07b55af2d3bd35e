// A finer mesh for a machine: an axis per prime factor of each level's count.
//
// On one axis of eight devices an op splits one loop eight ways. On three axes
// of two it may split one loop four ways and another one two ways. So every way
// to factor a level is a plan on the finer mesh; the search has more to choose
// from, and longer to choose.

#ifndef PASSES_PLACEMENT_DIVIDELEVELS_H_
#define PASSES_PLACEMENT_DIVIDELEVELS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Adds to `module`, which has one machine and no mesh, a mesh "divided" of
/// that machine: level "gpu" of 12 devices becomes the axes "gpu.0" and "gpu.1"
/// of two devices and "gpu.2" of three. Fails with a diagnostic if there is not
/// one machine, or if there is a mesh already.
LogicalResult divideLevels(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_DIVIDELEVELS_H_
