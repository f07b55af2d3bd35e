// The division of a matrix product among the blocks of a launch. A block
// computes a tile of the result. If there are few tiles and long sums, it
// computes one part of the sums of a tile (split-K): the K indices, which are
// summed over, are divided among several blocks.
//
// Larger tiles load less: with twice the rows, columns are loaded half as
// often, and a thread uses each element from shared memory twice as often. But
// there are fewer tiles to keep the chip busy, and more of their area may lie
// beyond the edge of the result.

#ifndef CODEGEN_CUDA_PRODUCTTILING_H_
#define CODEGEN_CUDA_PRODUCTTILING_H_

#include <cstdint>

#include "mlir/IR/Types.h"

namespace sbp::cuda {

/// The extents of a batch of matrix products; `summed` is the number of K
/// indices.
struct ProductExtents {
  int64_t batches = 1, rows = 1, columns = 1, summed = 1;
};

/// The tiling of one batch of products.
class ProductTiling {
 public:
  /// Side of the squares that make up a tile: one or two in each direction.
  static constexpr int64_t kSquare = 64;

  /// Chooses the tiling of a product of `extents` whose operands have elements
  /// of type `element`: the largest tiles that give at least 128 blocks, or the
  /// smallest tiles if none give that many. A tile has two squares in a
  /// direction only if that adds little area beyond the edge. Sums are divided
  /// into parts if there are fewer than 128 tiles and sums have more than 256
  /// terms.
  ProductTiling(const ProductExtents& extents, mlir::Type element);

  const ProductExtents& extents() const { return extents_; }

  /// Number of rows and columns of a tile.
  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  /// Number of K indices that a block loads to shared memory at a time: at most
  /// 16, and few enough that a thread loads at most 16 bytes of each operand.
  int64_t sliceDepth() const;

  /// Number of tiles along the rows and along the columns of the result.
  int64_t tilesDown() const;
  int64_t tilesAcross() const;

  /// Number of parts into which the sums of each tile are divided.
  int64_t parts() const { return parts_; }
  /// Number of K indices of a part, a multiple of sliceDepth(). The last parts
  /// may have fewer, or none.
  int64_t summedOfPart() const;

  /// Number of blocks of the launch.
  int64_t blocks() const { return parts_ * tiles(); }

 private:
  int64_t tiles() const;
  int64_t choosePartsOfSums() const;

  ProductExtents extents_;
  int64_t lanes_;  // number of elements of one access
  int64_t rows_, columns_, parts_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_PRODUCTTILING_H_
