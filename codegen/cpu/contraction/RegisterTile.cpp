#include "codegen/cpu/contraction/RegisterTile.h"

#include <algorithm>

#include "llvm/Support/MathExtras.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

/// The rows of C that the tile reads and writes, each contiguous: C itself, or
/// the staging buffer.
struct RowsOfC {
  ElementRef first;
  int64_t stride;
};

int64_t vectorsAcross(const RegisterTile& tile) {
  return llvm::divideCeil(tile.columns, tile.lanes);
}

/// Returns the number of lanes of vector `i` of a row that are in the tile.
int64_t lanesInTile(const RegisterTile& tile, int64_t i) {
  return std::min(tile.lanes, tile.columns - i * tile.lanes);
}

ElementRef placeOf(KernelBuilder& builder, const RegisterTile& tile, RowsOfC c,
                   int64_t row, int64_t vector) {
  return builder.at(c.first, row * c.stride + vector * tile.lanes);
}

/// Copies the tile between C and the staging buffer.
void copyTile(KernelBuilder& builder, const RegisterTile& tile,
              bool toStaging) {
  int64_t stagingStride = vectorsAcross(tile) * tile.lanes;
  builder.loops({tile.rows, tile.columns}, [&](ValueRange at) {
    ElementRef inC =
        builder.at(builder.at(tile.c, builder.mul(at[0], tile.rowStride)),
                   builder.mul(at[1], tile.columnStride));
    ElementRef inStaging = builder.at(
        builder.at(tile.staging, builder.mul(at[0], stagingStride)), at[1]);
    ElementRef from = toStaging ? inC : inStaging;
    ElementRef to = toStaging ? inStaging : inC;
    builder.store(builder.load(from), to);
  });
}

SmallVector<Value> step(KernelBuilder& builder, const RegisterTile& tile,
                        Value k, ValueRange sums) {
  int64_t numVectors = vectorsAcross(tile);
  ElementRef row = builder.at(tile.b.first, builder.mul(k, tile.b.depthStride));
  SmallVector<Value> right;
  for (int64_t i = 0; i < numVectors; ++i)
    right.push_back(builder.loadLanes(
        builder.at(row, i * tile.lanes), tile.lanes,
        tile.isPaddedToVector ? tile.lanes : lanesInTile(tile, i)));

  ElementRef column =
      builder.at(tile.a.first, builder.mul(k, tile.a.depthStride));
  SmallVector<Value> next;
  for (int64_t r = 0; r < tile.rows; ++r) {
    Value left = builder.broadcast(
        builder.load(builder.at(column, r * tile.a.lineStride)), tile.lanes);
    for (int64_t i = 0; i < numVectors; ++i)
      next.push_back(
          builder.multiplyAdd(left, right[i], sums[r * numVectors + i]));
  }
  return next;
}

}  // namespace

void buildRegisterTile(KernelBuilder& builder, const RegisterTile& tile,
                       Value depth, Value isFirst) {
  bool isStaged = tile.columnStride != 1;
  int64_t numVectors = vectorsAcross(tile);
  RowsOfC c = isStaged ? RowsOfC{tile.staging, numVectors * tile.lanes}
                       : RowsOfC{tile.c, tile.rowStride};

  if (!isStaged)
    for (int64_t r = 0; r < tile.rows; ++r)
      for (int64_t i = 0; i < numVectors; ++i)
        builder.prefetchForWrite(placeOf(builder, tile, c, r, i));

  auto type = VectorType::get(tile.lanes, tile.c.elementType());
  SmallVector<Value> sums(tile.rows * numVectors, builder.number(type, 0));
  sums = builder.loop(
      builder.index(0), depth, 1, sums,
      [&](Value k, ValueRange old) { return step(builder, tile, k, old); });

  // The old elements of C are added last, when their prefetch has completed.
  sums = builder.branch(
      isFirst, [&] { return sums; },
      [&] {
        if (isStaged) copyTile(builder, tile, /*toStaging=*/true);
        SmallVector<Value> totals;
        for (int64_t r = 0; r < tile.rows; ++r)
          for (int64_t i = 0; i < numVectors; ++i)
            totals.push_back(arith::AddFOp::create(
                builder,
                builder.loadLanes(placeOf(builder, tile, c, r, i), tile.lanes,
                                  lanesInTile(tile, i)),
                sums[r * numVectors + i]));
        return totals;
      });

  for (int64_t r = 0; r < tile.rows; ++r)
    for (int64_t i = 0; i < numVectors; ++i)
      builder.storeLanes(sums[r * numVectors + i],
                         placeOf(builder, tile, c, r, i), lanesInTile(tile, i));
  if (isStaged) copyTile(builder, tile, /*toStaging=*/false);
}

}  // namespace sbp::cpu
