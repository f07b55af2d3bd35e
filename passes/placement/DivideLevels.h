// Defines a finer mesh for a machine: several axes per level.
//
// On one axis of eight devices an op splits a single loop in eight. On three
// axes of two devices it may split one loop in four and another loop in two. So
// the search has more plans to choose from, and takes longer.
//
// Each prime factor of a level becomes an axis. If that gives more axes than
// the search can handle, a level of more than eight devices gets two axes, as
// close in size as possible, and any other level gets one:
//
//   2 nodes of 8     node 2, gpu 2 x 2 x 2
//   64 nodes of 8    node 8 x 8, gpu 8       as nine axes would be too many
//
// Even two axes help where memory is short. On one axis, weights are split over
// all nodes or repeated on all; on two, they may be split over one axis and
// repeated on the other.

#ifndef PASSES_PLACEMENT_DIVIDELEVELS_H_
#define PASSES_PLACEMENT_DIVIDELEVELS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Adds a mesh "divided" of the machine to `module`, with axes as described
/// above: level "gpu" of 12 devices becomes the axes "gpu.0" and "gpu.1" of two
/// devices and "gpu.2" of three. Fails with a diagnostic unless `module`
/// defines exactly one machine and no mesh.
LogicalResult divideLevels(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_DIVIDELEVELS_H_
