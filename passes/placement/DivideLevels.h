// Defines a finer mesh for a machine: several axes per level.
//
// On one axis of eight devices, an op splits a single loop in eight. On three
// axes of two devices, it may instead split one loop in four and another loop
// in two. So a finer mesh gives the search more plans to choose from, and makes
// it slower.
//
// Each prime factor of a level's size becomes an axis. If this gives more axes
// than the search can handle, a level of more than eight devices gets two axes
// instead, as close in size as possible, and any other level gets one:
//
//   2 nodes of 8     node 2, gpu 2 x 2 x 2
//   64 nodes of 8    node 8 x 8, gpu 8       since nine axes would be too many
//
// Even two axes help if memory is short. On one axis, weights are either split
// over all nodes or repeated on all nodes. On two axes, they may be split over
// one axis and repeated on the other.

#ifndef PASSES_PLACEMENT_DIVIDELEVELS_H_
#define PASSES_PLACEMENT_DIVIDELEVELS_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Adds to `module` a mesh of its machine, named "divided", with the axes
/// described above. For example, a level "gpu" of 12 devices becomes the axes
/// "gpu.0" and "gpu.1" of two devices and "gpu.2" of three. Fails with a
/// diagnostic unless `module` defines exactly one machine and no mesh.
LogicalResult divideLevels(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_DIVIDELEVELS_H_
