// Emits the inner loop of a contraction: a tile of C in registers.
//
//   for k:  C[0..rows, 0..columns] += A[0..rows, k] * B[k, 0..columns]
//
// Each step loads a row of B as vectors; for each row of the tile it broadcasts
// one element of A, multiplies and adds. C is not accessed in memory before the
// loop has ended.

#ifndef CODEGEN_CPU_CONTRACTION_REGISTERTILE_H_
#define CODEGEN_CPU_CONTRACTION_REGISTERTILE_H_

#include "codegen/cpu/contraction/PackPanel.h"
#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cpu {

/// Description of a tile's product.
struct RegisterTile {
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t lanes = 1;

  Strip a;                     // its lines are rows; any strides
  Strip b;                     // its lines are columns, of stride 1
  bool canReadBeyond = false;  // b may be read up to whole vectors

  ElementRef c;
  int64_t rowStride = 1, columnStride = 1;  // of C
  ElementRef
      staging;  // rows x columns rounded to lanes; used if columnStride != 1
};

/// Emits the tile: C = product if `isFirst` (an i1), else C += product; `depth`
/// is the extent of k.
void buildRegisterTile(KernelBuilder& builder, const RegisterTile& tile,
                       mlir::Value depth, mlir::Value isFirst);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_REGISTERTILE_H_
