// Computes a block of a matrix product, tile by tile.
//
//   C[rows, columns] (+)= A[rows, depth] * B[depth, columns]
//
// The matrices are packed into panels, or lie in memory as in their tensors
// (StripedMatrix). The extents of the block may be known only when the kernel
// runs, but it is known at compile time whether tiles at its edge are cut off:
// a block ends with a whole tile, or where the matrix ends.

#ifndef CODEGEN_CPU_CONTRACTION_BLOCKPRODUCT_H_
#define CODEGEN_CPU_CONTRACTION_BLOCKPRODUCT_H_

#include "codegen/cpu/contraction/PackPanel.h"
#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cpu {

/// A block of a loop that is cut into blocks.
struct Block {
  mlir::Value begin;   // index of its first iteration
  mlir::Value extent;  // a multiple of the tile's, or up to the end of the loop
};

/// Emits a loop over `block`, a block of a loop of `extent`, in strips of
/// `width` lines. `body` gets the begin of a strip within the block, and its
/// number of lines, which is less than `width` only at the end of the whole
/// loop.
void forStrips(KernelBuilder& builder, int64_t extent, Block block,
               int64_t width,
               llvm::function_ref<void(mlir::Value, int64_t)> body);

/// A matrix from which strips are taken: rows of A, or columns of B.
struct StripedMatrix {
  ElementRef first;     // the block's first element
  int64_t lineAdvance;  // from strip to strip, elements per line
  int64_t lineStride;   // elements from line to line in a strip
  int64_t depthStride;  // elements from step to step of k

  /// Returns a matrix that lies in memory as in its tensor.
  static StripedMatrix strided(ElementRef first, int64_t lineStride,
                               int64_t depthStride) {
    return {first, lineStride, lineStride, depthStride};
  }
  /// Returns a matrix in panels of `width` lines, each with room for `depth`
  /// steps.
  static StripedMatrix packed(ElementRef first, int64_t width, int64_t depth) {
    return {first, depth, 1, width};
  }

  Strip strip(KernelBuilder& builder, mlir::Value line) const {
    return {builder.at(first, builder.mul(line, lineAdvance)), lineStride,
            depthStride};
  }
};

/// Extents of a tile: rows x (vectors * lanes).
struct TileShape {
  int64_t rows = 1;
  int64_t vectors = 1;
  int64_t lanes = 1;

  int64_t columns() const { return vectors * lanes; }
};

/// Description of a block's product.
struct BlockProduct {
  TileShape tile;
  int64_t rowExtent = 0;  // of the whole matrix
  int64_t columnExtent = 0;
  Block rows, columns;
  mlir::Value depth;

  StripedMatrix a;
  StripedMatrix b;             // its lines have stride 1
  bool canReadBeyond = false;  // b may be read up to whole vectors

  ElementRef c;  // the block's first element
  int64_t rowStride = 1, columnStride = 1;
  ElementRef staging;  // buffer for a tile; used if columnStride != 1
};

/// Emits the product: C = A * B if `isFirst` (an i1), else C += A * B.
void buildBlockProduct(KernelBuilder& builder, const BlockProduct& product,
                       mlir::Value isFirst);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_BLOCKPRODUCT_H_
