#include "codegen/cuda/ProductTiling.h"

#include <algorithm>

#include "codegen/cuda/ThreadLoops.h"
#include "codegen/cuda/VectorAccess.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace sbp::cuda {

namespace {

// These constants come from counts of memory traffic; they have not been tuned
// on a GPU.

/// Number of blocks that keep a chip busy: chips have 108 multiprocessors and
/// more. The largest tiles that give this many blocks are chosen. Larger tiles
/// load less; with smaller tiles the last blocks finish sooner.
constexpr int64_t kFewBlocks = 128;

/// If there are fewer tiles, sums are divided into parts until there are
/// kManyBlocks blocks or a part has kLeastTerms terms. More parts keep a chip
/// busier, but the sums of each part are written to memory and read again.
constexpr int64_t kManyBlocks = 256, kLeastTerms = 256;

/// Greatest fraction by which tiles with a long side may cover more rows or
/// columns than tiles with a short side. Products beyond the edge are computed,
/// but not stored.
constexpr double kMostAdded = 0.25;

/// Greatest number of K indices in shared memory at once. More of them need
/// fewer barriers, but more registers for the elements that are being loaded.
constexpr int64_t kMostSummed = 16;

/// Returns the sides that a tile may have along `extent` rows or columns, the
/// longest first.
llvm::SmallVector<int64_t> sidesOf(int64_t extent) {
  constexpr int64_t kSmall = ProductTiling::kSquare, kLarge = 2 * kSmall;
  const auto covered = [&](int64_t side) {
    return static_cast<double>(llvm::alignTo(extent, side));
  };
  if (covered(kLarge) > (1 + kMostAdded) * covered(kSmall)) return {kSmall};
  return {kLarge, kSmall};
}

}  // namespace

ProductTiling::ProductTiling(const ProductExtents& extents, mlir::Type element)
    : extents_(extents), lanes_(lanesOfAccess(element)) {
  for (const int64_t rows : sidesOf(extents.rows))
    for (const int64_t columns : sidesOf(extents.columns)) {
      rows_ = rows;
      columns_ = columns;
      parts_ = choosePartsOfSums();
      if (blocks() >= kFewBlocks) return;
    }
}

int64_t ProductTiling::choosePartsOfSums() const {
  if (tiles() == 0 || tiles() >= kFewBlocks) return 1;
  const int64_t most = llvm::divideCeil(extents_.summed, kLeastTerms);
  return std::clamp<int64_t>(llvm::divideCeil(kManyBlocks, tiles()), 1,
                             std::max<int64_t>(most, 1));
}

int64_t ProductTiling::sliceDepth() const {
  return std::min(kThreadsOfBlock * lanes_ / std::max(rows_, columns_),
                  kMostSummed);
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
  return llvm::alignTo(llvm::divideCeil(extents_.summed, parts_), sliceDepth());
}

}  // namespace sbp::cuda
