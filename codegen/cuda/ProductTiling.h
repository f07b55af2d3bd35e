// How a product of matrices is divided among the blocks of a launch: each has a
// tile of the result, or, where there are few tiles and long sums, a part of
// the sums of one.

#ifndef CODEGEN_CUDA_PRODUCTTILING_H_
#define CODEGEN_CUDA_PRODUCTTILING_H_

#include <cstdint>

namespace sbp::cuda {

struct ProductExtents {
  int64_t batches = 1, rows = 1, columns = 1, summed = 1;
};

class ProductTiling {
 public:
  /// The extents of a tile are multiples of this.
  static constexpr int64_t kSquare = 64;

  /// Terms that a block has in shared memory at once. More of them mean fewer
  /// barriers, and more shared memory.
  static constexpr int64_t kSummed = 16;

  explicit ProductTiling(const ProductExtents& extents);

  const ProductExtents& extents() const { return extents_; }

  /// Of a tile.
  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }

  int64_t tilesDown() const;
  int64_t tilesAcross() const;

  /// So many parts the sums of a tile have.
  int64_t parts() const { return parts_; }
  /// Terms of a part, a multiple of kSummed; the last parts have less.
  int64_t summedOfPart() const;

  int64_t blocks() const { return parts_ * tiles(); }

 private:
  int64_t tiles() const;

  ProductExtents extents_;
  int64_t rows_ = kSquare, columns_ = kSquare;
  int64_t parts_ = 1;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_PRODUCTTILING_H_
