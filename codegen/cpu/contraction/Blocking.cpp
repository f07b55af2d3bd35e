#include "codegen/cpu/contraction/Blocking.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace sbp::cpu {
namespace {

/// Cuts `extent` into the fewest blocks of at most `limit`, all about equal, in
/// multiples of `unit`.
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

  // A panel of B in two thirds of level 1, the block of A in half of level 2.
  int64_t panelBytes = columns * elementBytes;
  blocking.kBlock =
      evenBlock(k.extent, target.firstCacheBytes * 2 / 3 / panelBytes,
                blocking.tile.lanes);
  blocking.mBlock = evenBlock(
      m.extent, target.secondCacheBytes / 2 / (blocking.kBlock * elementBytes),
      blocking.tile.rows);
  // Small enough for a share of level 3, large enough to read A seldom.
  constexpr int64_t kPackedBBytes = 2 << 20;
  blocking.nBlock = evenBlock(
      n.extent, kPackedBBytes / (blocking.kBlock * elementBytes), columns);

  blocking.packsA = n.extent > 2 * columns;
  blocking.packsB = n.b != 1 || m.extent > 4 * blocking.tile.rows;
  return blocking;
}

}  // namespace sbp::cpu
