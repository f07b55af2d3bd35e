// How a product of matrices is divided among the blocks of a launch: each has a
// tile of the result, or, where there are few tiles and long sums, a part of
// the sums of one.
//
// With twice the rows a tile loads columns half as often, and a thread does
// more with each element that it takes out of shared memory; but there are
// fewer tiles, and more of what they cover may lie beyond the edge.

#ifndef CODEGEN_CUDA_PRODUCTTILING_H_
#define CODEGEN_CUDA_PRODUCTTILING_H_

#include <cstdint>

#include "mlir/IR/Types.h"

namespace sbp::cuda {

struct ProductExtents {
  int64_t batches = 1, rows = 1, columns = 1, summed = 1;
};

class ProductTiling {
 public:
  /// A tile has one or two squares of so many rows and columns in each
  /// direction.
  static constexpr int64_t kSquare = 64;

  /// Of a product whose operands have elements of type `element`.
  ProductTiling(const ProductExtents& extents, mlir::Type element);

  const ProductExtents& extents() const { return extents_; }

  /// Of a tile.
  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  /// So many terms of its sums a block has in shared memory at once: those with
  /// which a thread loads, of the longer side of the tile, one access, or
  /// fewer.
  int64_t summed() const;

  int64_t tilesDown() const;
  int64_t tilesAcross() const;

  /// So many parts the sums of each tile have.
  int64_t parts() const { return parts_; }
  /// Terms of a part, a multiple of summed(); the last parts have less.
  int64_t summedOfPart() const;

  int64_t blocks() const { return parts_ * tiles(); }

 private:
  int64_t tiles() const;
  int64_t choosePartsOfSums() const;

  ProductExtents extents_;
  int64_t lanes_;  // of an access
  int64_t rows_, columns_, parts_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_PRODUCTTILING_H_
