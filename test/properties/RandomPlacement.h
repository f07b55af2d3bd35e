// Random placements, among all legal placements of a program.
//
// The mesh is random: one to three axes, up to eight devices, of a machine with
// random links. Parameters, inputs, arguments of layers, and other values are
// pinned at random. Arguments of layers and other values may also be pinned to
// partial sums and extrema. Each op gets any of its legal signatures.

#ifndef TEST_PROPERTIES_RANDOMPLACEMENT_H_
#define TEST_PROPERTIES_RANDOMPLACEMENT_H_

#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "test/properties/Choices.h"

namespace sbp::properties {

/// Adds a machine to `module`, and perhaps a mesh of it. Returns the name of
/// the mesh, or of the machine if there is no mesh.
mlir::FlatSymbolRefAttr addRandomMesh(ModuleOp module, Choices& choices);

/// Pins some parameters, arguments and values of `module` on `mesh`.
void pinAtRandom(ModuleOp module, mlir::FlatSymbolRefAttr meshName,
                 const Mesh& mesh, Choices& choices);

/// Adds a machine to `module`, a differentiated program, and places it. Fails
/// with a diagnostic if a legal placement is not accepted.
LogicalResult placeAtRandom(ModuleOp module, Choices& choices);

/// Places `module`, a differentiated program in stages, with a random legal
/// placement within each group. Fails with a diagnostic if the placement is not
/// accepted.
LogicalResult placeStagesAtRandom(ModuleOp module, Choices& choices);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_RANDOMPLACEMENT_H_
