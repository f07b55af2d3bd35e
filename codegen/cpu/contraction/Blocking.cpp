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

/// A tile as square as the matrix allows. Its accumulators must leave registers
/// for a row of B and one element of A, and be enough (8) to hide the latency
/// of a fused multiply-add behind the others.
void chooseTile(Blocking& blocking, const Contraction& contraction,
                const Target& target) {
  bool hasManyRegisters = target.vectorBytes == 64;  // 32, else 16
  int64_t vectorsOfN = llvm::divideCeil(contraction.n.extent, blocking.lanes);
  int64_t rowsOfM = llvm::PowerOf2Ceil(contraction.m.extent);
  if (hasManyRegisters) {
    blocking.rows = std::min<int64_t>(rowsOfM, vectorsOfN == 1 ? 16 : 8);
    blocking.vectors = std::min<int64_t>(vectorsOfN, 16 / blocking.rows);
  } else {
    blocking.rows = std::min<int64_t>(rowsOfM, vectorsOfN == 1 ? 8 : 4);
    blocking.vectors = std::min<int64_t>(vectorsOfN, 12 / blocking.rows);
  }
  blocking.rows = std::min(blocking.rows, blocking.lanes);
  blocking.vectors = std::min<int64_t>(blocking.vectors, 8);
}

}  // namespace

Blocking chooseBlocking(const Contraction& contraction, const Target& target,
                        int64_t elementBytes) {
  const ContractionLoop& m = contraction.m;
  const ContractionLoop& n = contraction.n;
  const ContractionLoop& k = contraction.k;
  Blocking blocking;
  blocking.lanes = target.lanes(elementBytes);

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
  chooseTile(blocking, contraction, target);
  blocking.stagesC = n.c != 1;
  int64_t columns = blocking.tileColumns();

  // A panel of B in two thirds of level 1, the block of A in half of level 2.
  int64_t panelBytes = columns * elementBytes;
  blocking.kBlock = evenBlock(
      k.extent, target.firstCacheBytes * 2 / 3 / panelBytes, blocking.lanes);
  blocking.mBlock = evenBlock(
      m.extent, target.secondCacheBytes / 2 / (blocking.kBlock * elementBytes),
      blocking.rows);
  // Small enough for a share of level 3, large enough to read A seldom.
  constexpr int64_t kPackedBBytes = 2 << 20;
  blocking.nBlock = evenBlock(
      n.extent, kPackedBBytes / (blocking.kBlock * elementBytes), columns);

  blocking.packsA = n.extent > 2 * columns;
  blocking.packsB = n.b != 1 || m.extent > 4 * blocking.rows;
  return blocking;
}

}  // namespace sbp::cpu
