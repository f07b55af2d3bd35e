#include "codegen/cuda/ProductTiling.h"

#include <algorithm>

#include "llvm/Support/MathExtras.h"

namespace sbp::cuda {

namespace {

/// With fewer tiles than a chip runs at once, sums are divided into parts,
/// until there are so many blocks or each part has so few terms.
constexpr int64_t kFewTiles = 128, kManyBlocks = 256, kLeastTerms = 256;

}  // namespace

ProductTiling::ProductTiling(const ProductExtents& extents)
    : extents_(extents) {
  if (tiles() == 0 || tiles() >= kFewTiles) return;
  const int64_t most = llvm::divideCeil(extents.summed, kLeastTerms);
  parts_ = std::clamp<int64_t>(llvm::divideCeil(kManyBlocks, tiles()), 1,
                               std::max<int64_t>(most, 1));
}

int64_t ProductTiling::tilesDown() const {
  return llvm::divideCeil(extents_.rows, rows_);
}

int64_t ProductTiling::tilesAcross() const {
  return llvm::divideCeil(extents_.columns, columns_);
}

int64_t ProductTiling::tiles() const {
  return extents_.batches * tilesDown() * tilesAcross();
}

int64_t ProductTiling::summedOfPart() const {
  return llvm::alignTo(llvm::divideCeil(extents_.summed, parts_), kSummed);
}

}  // namespace sbp::cuda
