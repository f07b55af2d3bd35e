// A block of a matrix product, tile by tile.
//
//   C[rows, columns] (+)= A[rows, depth] * B[depth, columns]
//
// The matrices lie in memory as a StripedMatrix says: packed into panels, or as
// the tensor that they are. The extents of the block may be known only when the
// kernel runs, but not whether tiles at its edge are cut off: a block ends with
// a whole tile, or where the matrix ends.

#ifndef CODEGEN_CPU_CONTRACTION_BLOCKPRODUCT_H_
#define CODEGEN_CPU_CONTRACTION_BLOCKPRODUCT_H_

#include "codegen/cpu/contraction/PackPanel.h"
#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cpu {

/// The lines of a block, of a loop that is cut into blocks.
struct Block {
  mlir::Value begin;   // in the loop
  mlir::Value extent;  // a multiple of the tile's, or up to the loop's end
};

/// Runs through `block` of a loop of `extent` in strips of `width`: `body` gets
/// where a strip begins within the block and how many lines it has, fewer than
/// `width` only at the end of the whole loop.
void forStrips(KernelBuilder& builder, int64_t extent, Block block,
               int64_t width,
               llvm::function_ref<void(mlir::Value, int64_t)> body);

/// A matrix of which one takes strips: rows of A, columns of B.
struct StripedMatrix {
  ElementRef first;     // the block's first element
  int64_t lineAdvance;  // from the strip of line 0 to that of line n: n times
  int64_t lineStride;   // from line to line within a strip
  int64_t depthStride;  // from step to step

  /// A matrix as it lies in a tensor.
  static StripedMatrix strided(ElementRef first, int64_t lineStride,
                               int64_t depthStride) {
    return {first, lineStride, lineStride, depthStride};
  }
  /// Panels of `width` lines, room for `depth` steps in each.
  static StripedMatrix packed(ElementRef first, int64_t width, int64_t depth) {
    return {first, depth, 1, width};
  }

  Strip strip(KernelBuilder& builder, mlir::Value line) const {
    return {builder.at(first, builder.mul(line, lineAdvance)), lineStride,
            depthStride};
  }
};

/// The extents of a tile: rows x (vectors * lanes).
struct TileShape {
  int64_t rows = 1;
  int64_t vectors = 1;
  int64_t lanes = 1;

  int64_t columns() const { return vectors * lanes; }
};

struct BlockProduct {
  TileShape tile;
  int64_t rowExtent = 0;  // of the whole matrix, which the block is a part of
  int64_t columnExtent = 0;
  Block rows, columns;
  mlir::Value depth;

  StripedMatrix a;
  StripedMatrix b;             // lines of stride 1
  bool canReadBeyond = false;  // b has whole vectors, whatever is in them

  ElementRef c;  // the block's first element
  int64_t rowStride = 1, columnStride = 1;
  ElementRef staging;  // a tile; used if columnStride != 1
};

/// Emits the product: C = A * B if `isFirst` (an i1), else C += A * B.
void buildBlockProduct(KernelBuilder& builder, const BlockProduct& product,
                       mlir::Value isFirst);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_BLOCKPRODUCT_H_
