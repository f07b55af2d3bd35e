// Emits the inner loop of a contraction: a tile of C in registers.
//
//   for k:  C[0..rows, 0..columns] += A[0..rows, k] * B[k, 0..columns]
//
// Each step of k loads a row of B as vectors; for each row of the tile it
// broadcasts one element of A, multiplies and adds. C in memory is accessed
// only after the loop. If its rows are contiguous, C is prefetched before the
// loop.

#ifndef CODEGEN_CPU_CONTRACTION_REGISTERTILE_H_
#define CODEGEN_CPU_CONTRACTION_REGISTERTILE_H_

#include "codegen/cpu/contraction/PackPanel.h"
#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cpu {

/// The operands and the shape of a tile.
struct RegisterTile {
  int64_t rows = 1;
  int64_t columns = 1;  // the last vector of a row may have unused lanes
  int64_t lanes = 1;    // lanes of a vector

  Strip a;  // its lines are rows of the tile; any strides
  Strip b;  // its lines are columns of the tile; lineStride must be 1
  /// Whether b has, for each k, room for whole vectors, so that code may read
  /// elements after the tile's last column.
  bool isPaddedToVector = false;

  ElementRef c;                             // the first element of the tile
  int64_t rowStride = 1, columnStride = 1;  // strides of C, in elements
  /// Memory for rows x columns elements, row by row, with the columns rounded
  /// up to whole vectors. It need not be initialised. Used only if columnStride
  /// != 1.
  ElementRef staging;
};

/// Emits the tile: C = A * B if `isFirst`, else C += A * B. `isFirst` is an i1;
/// it is true for the first part of the sum over k, when C has no content yet.
/// `depth`, an index, is the extent of k.
void buildRegisterTile(KernelBuilder& builder, const RegisterTile& tile,
                       mlir::Value depth, mlir::Value isFirst);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_REGISTERTILE_H_
