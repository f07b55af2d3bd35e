#include "codegen/cpu/contraction/Blocking.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace sbp::cpu {
namespace {

/// Returns the size of blocks that cut `extent` into the fewest blocks of at
/// most `limit`, all about equal, in multiples of `unit`.
int64_t evenBlock(int64_t extent, int64_t limit, int64_t unit) {
  int64_t numBlocks = llvm::divideCeil(extent, std::max(limit, unit));
  return llvm::alignTo(llvm::divideCeil(extent, numBlocks), unit);
}

}  // namespace

TileShape chooseTile(int64_t m, int64_t n, const Target& target,
                     int64_t elementBytes) {
  TileShape tile;
  tile.lanes = target.lanes(elementBytes);
  int64_t vectorsOfN = llvm::divideCeil(n, tile.lanes);
  bool hasManyRegisters = target.vectorBytes == 64;  // 32, else 16
  int64_t mostRows = hasManyRegisters ? 8 : 4;
  int64_t accumulators = hasManyRegisters ? 16 : 12;
  if (vectorsOfN == 1) mostRows *= 2;
  tile.rows = std::min<int64_t>(
      {static_cast<int64_t>(llvm::PowerOf2Ceil(m)), mostRows, tile.lanes});
  tile.vectors = std::min<int64_t>({vectorsOfN, accumulators / tile.rows, 8});
  return tile;
}

Blocking chooseBlocking(const Contraction& contraction, const Target& target,
                        int64_t elementBytes) {
  const ContractionLoop& m = contraction.m;
  const ContractionLoop& n = contraction.n;
  const ContractionLoop& k = contraction.k;
  Blocking blocking;
  blocking.tile.lanes = target.lanes(elementBytes);

  bool isDotProduct = k.a == 1 && k.b == 1 && (m.extent == 1 || n.extent == 1);
  auto isEmpty = [](const ContractionLoop& loop) { return loop.extent == 0; };
  if (llvm::any_of(contraction.parallelLoops(), isEmpty) ||
      llvm::any_of(contraction.summedLoops(), isEmpty) || k.extent == 1)
    return blocking;
  if (isDotProduct) {
    blocking.form = Blocking::Form::kDot;
    return blocking;
  }
  if (m.extent == 1 && n.extent == 1) return blocking;

  blocking.form = Blocking::Form::kTiled;
  blocking.tile = chooseTile(m.extent, n.extent, target, elementBytes);
  blocking.stagesC = n.c != 1;
  int64_t columns = blocking.tile.columns();

  int64_t numRows = m.extent;
  for (const ContractionLoop& loop : contraction.outerRows)
    numRows *= loop.extent;
  blocking.packsA = n.extent > 2 * columns;
  blocking.packsB = n.b != 1 || numRows > 4 * blocking.tile.rows;

  // A panel of B takes at most two thirds of level 1, the block of A a quarter
  // of level 2.
  int64_t deepest = target.firstCacheBytes * 2 / 3 / (columns * elementBytes);
  blocking.kBlock = evenBlock(k.extent, deepest, blocking.tile.lanes);
  if (blocking.packsA && blocking.packsB && 2 * k.extent <= deepest) {
    blocking.kBlock = k.extent;
    blocking.segmentBlock =
        evenBlock(contraction.segments.extent, deepest / k.extent, 1);
  }
  int64_t depthBytes = blocking.panelDepth() * elementBytes;
  blocking.mBlock = evenBlock(
      m.extent, target.secondCacheBytes / 4 / depthBytes, blocking.tile.rows);
  // Small enough for a core's share of level 3, large enough that A is read
  // seldom.
  constexpr int64_t kPackedBBytes = 2 << 20;
  blocking.nBlock = evenBlock(n.extent, kPackedBBytes / depthBytes, columns);
  return blocking;
}

}  // namespace sbp::cpu
