#include "codegen/cuda/ProductTiling.h"

#include <algorithm>

#include "codegen/cuda/ThreadLoops.h"
#include "codegen/cuda/VectorAccess.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace sbp::cuda {

namespace {

// These numbers have been chosen by counting, on no GPU.

/// About so many blocks keep a chip busy: chips have 108 multiprocessors and
/// more. Of the tiles that leave so many blocks the largest are taken: larger
/// ones load less, and with smaller ones the last blocks end sooner.
constexpr int64_t kFewBlocks = 128;

/// Where tiles are fewer, sums are divided into parts, until there are so many
/// blocks or each part has so few terms. More parts keep a chip busier, and
/// each of them goes to memory and back.
constexpr int64_t kManyBlocks = 256, kLeastTerms = 256;

/// A long side may add so much, as a part, to what tiles of a short one cover:
/// what lies beyond the edge is computed in vain.
constexpr double kMostAdded = 0.25;

/// Terms in shared memory at once: more of them mean fewer barriers, and more
/// registers for what is on its way there.
constexpr int64_t kMostSummed = 16;

/// The sides that a tile may have of `extent` rows or columns, the longest one
/// first.
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

int64_t ProductTiling::summed() const {
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
  return llvm::alignTo(llvm::divideCeil(extents_.summed, parts_), summed());
}

}  // namespace sbp::cuda
