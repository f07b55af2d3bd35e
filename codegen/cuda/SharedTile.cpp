#include "codegen/cuda/SharedTile.h"

#include <algorithm>
#include <numeric>

#include "codegen/cuda/Indices.h"
#include "codegen/cuda/SharedMemory.h"
#include "codegen/cuda/ThreadLoops.h"
#include "codegen/cuda/VectorAccess.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

/// Number of elements of one access to shared memory.
constexpr int64_t kSharedLanes = 4;
/// Bytes of a sector, the unit in which a GPU moves memory.
constexpr int64_t kBytesOfSector = 32;

int64_t bytesOf(Type element) { return element.getIntOrFloatBitWidth() / 8; }

}  // namespace

int64_t DenseMatrix::lanes() const {
  return std::gcd(columns, lanesOfAccess(first.elementType()));
}

SharedTile::SharedTile(KernelBuilder& builder, Type compute, int64_t mostSummed,
                       int64_t mostAcross)
    : builder_(builder),
      compute_(compute),
      stride_(mostAcross + kSharedLanes),
      first_(addShared(builder, compute, mostSummed * stride_)) {}

ElementRef SharedTile::refOf(Value summed, Value across) {
  return builder_.at(builder_.at(first_, builder_.mul(summed, stride_)),
                     across);
}

Value SharedTile::vectorAt(Value summed, Value across, int64_t lanes) {
  return loadLanes(builder_, refOf(summed, across), compute_, lanes);
}

void SharedTile::store(Value vector, Value summed, Value across) {
  storeLanes(builder_, vector, refOf(summed, across));
}

void SharedTile::load(const DenseMatrix& matrix, Value firstRow,
                      Value firstColumn, int64_t summed, int64_t across) {
  const int64_t lanes = matrix.lanes();
  forEachOwned({summed, across / lanes}, [&](ArrayRef<Value> indices,
                                             Value addend) {
    Value row = indices[0];
    Value column = builder_.mul(indices[1], lanes);
    Value vector = loadVector(matrix, {firstRow, row, addend, summed},
                              {firstColumn, column, builder_.index(0), across});
    const int64_t each = std::min(lanes, kSharedLanes);
    ElementRef ref =
        builder_.at(refOf(row, column), builder_.mul(addend, stride_));
    for (int64_t lane = 0; lane < lanes; lane += each)
      storeLanes(builder_, takeLanes(builder_, vector, lane, each),
                 builder_.at(ref, lane));
  });
}

void SharedTile::loadTransposed(const DenseMatrix& matrix, Value firstRow,
                                Value firstColumn, int64_t summed,
                                int64_t across) {
  // Adjacent threads load one sector of a row together, then one of the next
  // row.
  const int64_t lanes = matrix.lanes();
  const int64_t ofSector =
      kBytesOfSector / (lanes * bytesOf(matrix.first.elementType()));
  const int64_t together = std::gcd(summed / lanes, ofSector);
  forEachOwned(
      {summed / (lanes * together), across, together},
      [&](ArrayRef<Value> indices, Value addend) {
        Value row = indices[1];
        Value column = builder_.mul(
            builder_.add(builder_.mul(indices[0], together), indices[2]),
            lanes);
        addend = builder_.mul(addend, together * lanes);
        Value vector =
            loadVector(matrix, {firstRow, row, builder_.index(0), across},
                       {firstColumn, column, addend, summed});
        ElementRef ref =
            builder_.at(refOf(column, row), builder_.mul(addend, stride_));
        for (int64_t lane = 0; lane < lanes; ++lane)
          storeLanes(builder_, takeLanes(builder_, vector, lane, 1),
                     builder_.at(ref, lane * stride_));
      });
}

void SharedTile::forEachOwned(
    ArrayRef<int64_t> extents,
    llvm::function_ref<void(ArrayRef<Value>, Value)> body) {
  int64_t inner = 1;
  for (int64_t extent : extents.drop_front()) inner *= extent;
  const int64_t count = extents.front() * inner;
  Value thread = gpu::ThreadIdOp::create(builder_, gpu::Dimension::x);
  if (count % kThreadsOfBlock == 0 && kThreadsOfBlock % inner == 0) {
    SmallVector<Value> indices = indicesOf(builder_, thread, extents);
    return builder_.loop(0, count / kThreadsOfBlock, 1, [&](Value time) {
      body(indices, builder_.mul(time, kThreadsOfBlock / inner));
    });
  }
  builder_.loop(thread, builder_.index(count), kThreadsOfBlock,
                [&](Value number) {
                  body(indicesOf(builder_, number, extents), builder_.index(0));
                });
}

Value SharedTile::loadVector(const DenseMatrix& matrix, TilePosition rows,
                             TilePosition columns) {
  const int64_t lanes = matrix.lanes();
  Value row = builder_.add(rows.first, rows.index);
  Value column = builder_.add(columns.first, columns.index);
  Value isValid = builder_.createOrFold<arith::AndIOp>(
      isBelow(builder_, builder_.add(row, rows.addend), matrix.rows,
              rows.extent),
      isBelow(builder_, builder_.add(column, columns.addend), matrix.columns,
              columns.extent));
  return builder_.branch(
      isValid,
      [&]() -> SmallVector<Value> {
        ElementRef ref = matrix.first;
        for (Value offset :
             {builder_.mul(row, matrix.columns), column,
              builder_.mul(rows.addend, matrix.columns), columns.addend})
          ref = builder_.at(ref, offset);
        return {loadLanes(builder_, ref, matrix.first.elementType(), lanes)};
      },
      [&]() -> SmallVector<Value> {
        return {builder_.number(VectorType::get(lanes, compute_), 0)};
      })[0];
}

SmallVector<Value> addProducts(KernelBuilder& builder, ArrayRef<Value> sums,
                               SharedTile& left, Value row, SharedTile& right,
                               Value column, int64_t summed) {
  const int64_t columns =
      cast<VectorType>(sums.front().getType()).getNumElements();
  return builder.loop(
      builder.index(0), builder.index(summed), 1, sums,
      [&](Value k, ValueRange carried) {
        Value ofRows = left.vectorAt(k, row, static_cast<int64_t>(sums.size()));
        Value ofColumns = right.vectorAt(k, column, columns);
        SmallVector<Value> next;
        for (auto [i, sum] : llvm::enumerate(carried))
          next.push_back(builder.multiplyAdd(
              builder.broadcast(vector::ExtractOp::create(
                                    builder, ofRows, static_cast<int64_t>(i)),
                                columns),
              ofColumns, sum));
        return next;
      });
}

}  // namespace sbp::cuda
