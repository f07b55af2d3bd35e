// Computes a block of a matrix product, tile by tile.
//
//   C[rows, columns] (+)= A[rows, depth] * B[depth, columns]
//
//   line       a row of A, or a column of B
//   strip      some adjacent lines of A or of B
//   panel      a strip that is packed (PackPanel.h)
//   tile       the product of a strip of A and a strip of B; fits the registers
//   block      the part of C that is computed: for each strip of B, a tile for
//              each strip of A
//   k, depth   the index that is summed over, and its extent
//
// Each of A and B is packed into panels, or lies in memory as in its tensor
// (StripedMatrix).
//
// The extents of a block may be known only at run time. All tiles of a block
// are whole, except that the last block of rows, or of columns, may end with
// smaller tiles. Their size (extent of the matrix % extent of a tile) is known
// at compile time; whether a block has smaller tiles is tested at run time.

#ifndef CODEGEN_CPU_CONTRACTION_BLOCKPRODUCT_H_
#define CODEGEN_CPU_CONTRACTION_BLOCKPRODUCT_H_

#include "codegen/cpu/contraction/PackPanel.h"
#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cpu {

/// A range of consecutive iterations of a loop, such as those of a block.
struct IterationRange {
  mlir::Value begin;  // index of the first iteration
  /// Number of iterations: a multiple of the tile's extent, or any number if
  /// the range is the last one of the loop.
  mlir::Value extent;
};

/// Emits a loop over `block` in strips of `width` lines. `loopExtent` is the
/// extent of the whole loop of which `block` is a range. `body` gets a strip's
/// first line, counted from `block.begin`, and its number of lines: `width`, or
/// loopExtent % width if the strip ends the whole loop and is not full.
void forStrips(KernelBuilder& builder, int64_t loopExtent, IterationRange block,
               int64_t width,
               llvm::function_ref<void(mlir::Value, int64_t)> body);

/// A matrix from which strips are taken: rows of A, or columns of B.
struct StripedMatrix {
  ElementRef first;  // first element of the block
  /// The strip whose first line is n begins lineAdvance * n elements after
  /// `first`. In panels, n is a multiple of the panels' width.
  int64_t lineAdvance;
  int64_t lineStride;   // elements from line to line in a strip
  int64_t depthStride;  // elements from step to step of k

  /// Returns a matrix that lies in memory as in its tensor.
  static StripedMatrix strided(ElementRef first, int64_t lineStride,
                               int64_t depthStride) {
    return {first, lineStride, lineStride, depthStride};
  }
  /// Returns a matrix in panels of `width` lines, each with room for `depth`
  /// steps of k (so width * depth elements).
  static StripedMatrix packed(ElementRef first, int64_t width, int64_t depth) {
    return {first, depth, 1, width};
  }

  /// Returns the strip that begins at `line` of the block.
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

/// The arguments of buildBlockProduct.
struct BlockProductArgs {
  TileShape tile;
  int64_t matrixRows = 0, matrixColumns = 0;  // extents of the whole matrix C
  IterationRange rows, columns;               // rows and columns of the block
  mlir::Value depth;                          // extent of k

  StripedMatrix a;
  StripedMatrix b;  // lineStride must be 1
  /// Whether each strip of b has, for each k, room for whole vectors, so that
  /// code may read past its last column.
  bool isPaddedToVector = false;

  ElementRef c;                             // first element of the block
  int64_t rowStride = 1, columnStride = 1;  // strides of C, in elements
  /// Memory for a copy of one tile of C whose rows are contiguous
  /// (RegisterTile::staging). Used only if columnStride != 1.
  ElementRef staging;
};

/// Emits the product: C = A * B if `isFirst` (an i1), else C += A * B.
void buildBlockProduct(KernelBuilder& builder, const BlockProductArgs& product,
                       mlir::Value isFirst);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_BLOCKPRODUCT_H_
