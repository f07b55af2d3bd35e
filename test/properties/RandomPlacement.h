// Random placements: any of the many ways in which a program may be
// distributed.
//
// The mesh is random: one to three axes, up to eight devices, of a machine with
// random links. What a user may pin is pinned at random: parameters, inputs,
// arguments of layers, and values anywhere, also to partial sums and extrema.
// What remains is the signature of each op, and that is any of its legal ones.

#ifndef TEST_PROPERTIES_RANDOMPLACEMENT_H_
#define TEST_PROPERTIES_RANDOMPLACEMENT_H_

#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "test/properties/Choices.h"

namespace sbp::properties {

/// Adds a machine to `module`, and the name of a mesh of it.
mlir::FlatSymbolRefAttr addRandomMesh(ModuleOp module, Choices& choices);

/// Pins some of what a user may pin in `module`, on `mesh`.
void pinAtRandom(ModuleOp module, mlir::FlatSymbolRefAttr meshName,
                 const Mesh& mesh, Choices& choices);

/// Adds a machine to `module`, a differentiated program, and places it. Fails
/// with a diagnostic where a legal placement is not accepted.
LogicalResult placeAtRandom(ModuleOp module, Choices& choices);

/// Places `module`, a differentiated program in stages, in any legal way within
/// each group. Fails with a diagnostic where one is not accepted.
LogicalResult placeStagesAtRandom(ModuleOp module, Choices& choices);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_RANDOMPLACEMENT_H_
