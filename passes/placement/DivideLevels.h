// A finer mesh for a machine: several axes for each level.
//
// On one axis of eight devices an op splits one loop eight ways. On three axes
// of two it may split one loop four ways and another one two ways. So every way
// to factor a level is a plan on the finer mesh; the search has more to choose
// from, and longer to choose.
//
// There is an axis for each prime factor. Where these are more than plans are
// searched on, levels of many devices have two axes each, as alike as can be:
//
//   2 nodes of 8     node 2, gpu 2 x 2 x 2
//   64 nodes of 8    node 8 x 8, gpu 8       as nine axes would be too many
//
// Already these two make the difference where memory is short: weights may lie
// in parts on some nodes and whole on others, and not only on all or on none.

#ifndef PASSES_PLACEMENT_DIVIDELEVELS_H_
#define PASSES_PLACEMENT_DIVIDELEVELS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Adds to `module`, which has one machine and no mesh, a mesh "divided" of
/// that machine, with axes as above: level "gpu" of 12 devices becomes the axes
/// "gpu.0" and "gpu.1" of two devices and "gpu.2" of three. Fails with a
/// diagnostic if there is not one machine, or if there is a mesh already.
LogicalResult divideLevels(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_DIVIDELEVELS_H_
