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

/// Numbers that one access takes in shared memory.
constexpr int64_t kSharedLanes = 4;
/// What memory is moved in.
constexpr int64_t kBytesOfSector = 32;

int64_t bytesOf(Type element) { return element.getIntOrFloatBitWidth() / 8; }

/// Whether `index`, of a tile of `tile` that begins at a multiple of that, is
/// below `extent`.
Value isBelow(KernelBuilder& builder, Value index, int64_t extent,
              int64_t tile) {
  if (extent % tile == 0) return arith::ConstantIntOp::create(builder, 1, 1);
  return builder.isLess(index, builder.index(extent));
}

}  // namespace

int64_t DenseMatrix::lanes() const {
  return std::gcd(columns, kBytesOfAccess / bytesOf(first.elementType()));
}

SharedTile::SharedTile(KernelBuilder& builder, Type compute, int64_t mostSummed,
                       int64_t mostAcross)
    : builder_(builder),
      compute_(compute),
      stride_(mostAcross + kSharedLanes),
      first_(addShared(builder, compute, mostSummed * stride_)) {}

Place SharedTile::placeOf(Value summed, Value across) {
  return builder_.at(builder_.at(first_, builder_.mul(summed, stride_)),
                     across);
}

Value SharedTile::vectorAt(Value summed, Value across, int64_t lanes) {
  return loadLanes(builder_, placeOf(summed, across), compute_, lanes);
}

void SharedTile::store(Value vector, Value summed, Value across) {
  storeLanes(builder_, vector, placeOf(summed, across));
}

void SharedTile::load(const DenseMatrix& matrix, Value firstRow,
                      Value firstColumn, int64_t summed, int64_t across) {
  const int64_t lanes = matrix.lanes();
  loadVectors(matrix, firstRow, firstColumn, summed, across, across / lanes,
              [&](Value vector, Value row, Value column) {
                const int64_t each = std::min(lanes, kSharedLanes);
                for (int64_t lane = 0; lane < lanes; lane += each)
                  store(takeLanes(builder_, vector, lane, each), row,
                        builder_.add(column, lane));
              });
}

void SharedTile::loadTransposed(const DenseMatrix& matrix, Value firstRow,
                                Value firstColumn, int64_t summed,
                                int64_t across) {
  const int64_t lanes = matrix.lanes();
  const int64_t ofSector =
      kBytesOfSector / (lanes * bytesOf(matrix.first.elementType()));
  const int64_t together = std::gcd(summed / lanes, ofSector);
  loadVectors(matrix, firstRow, firstColumn, across, summed, together,
              [&](Value vector, Value row, Value column) {
                for (int64_t lane = 0; lane < lanes; ++lane)
                  storeOne(builder_,
                           vector::ExtractOp::create(builder_, vector, lane),
                           placeOf(builder_.add(column, lane), row));
              });
}

void SharedTile::loadVectors(
    const DenseMatrix& matrix, Value firstRow, Value firstColumn, int64_t rows,
    int64_t columns, int64_t together,
    llvm::function_ref<void(Value, Value, Value)> store) {
  const int64_t lanes = matrix.lanes();
  const int64_t count = rows * columns / lanes;
  Value thread = gpu::ThreadIdOp::create(builder_, gpu::Dimension::x);
  const auto loadOneVector = [&](Value number) {
    SmallVector<Value> indices = indicesOf(
        builder_, number, {columns / (lanes * together), rows, together});
    Value row = indices[1];
    Value column = builder_.mul(
        builder_.add(builder_.mul(indices[0], together), indices[2]), lanes);
    Value onRow = builder_.add(firstRow, row);
    Value onColumn = builder_.add(firstColumn, column);
    Value isThere = builder_.createOrFold<arith::AndIOp>(
        isBelow(builder_, onRow, matrix.rows, rows),
        isBelow(builder_, onColumn, matrix.columns, columns));
    Value vector = builder_.branch(
        isThere,
        [&]() -> SmallVector<Value> {
          Place place = builder_.at(
              builder_.at(matrix.first, builder_.mul(onRow, matrix.columns)),
              onColumn);
          return {
              loadLanes(builder_, place, matrix.first.elementType(), lanes)};
        },
        [&]() -> SmallVector<Value> {
          return {builder_.number(VectorType::get(lanes, compute_), 0)};
        })[0];
    store(vector, row, column);
  };
  builder_.loop(0, count, kThreadsOfBlock, [&](Value first) {
    Value number = builder_.add(first, thread);
    if (count % kThreadsOfBlock == 0) return loadOneVector(number);
    builder_.branch(builder_.isLess(number, builder_.index(count)),
                    [&] { loadOneVector(number); });
  });
}

SmallVector<Value> addProducts(KernelBuilder& builder, ArrayRef<Value> sums,
                               SharedTile& left, Value first, Value row,
                               SharedTile& right, Value column,
                               int64_t summed) {
  const int64_t columns =
      cast<VectorType>(sums.front().getType()).getNumElements();
  return builder.loop(
      builder.index(0), builder.index(summed), 1, sums,
      [&](Value k, ValueRange carried) {
        Value ofRows = left.vectorAt(builder.add(first, k), row,
                                     static_cast<int64_t>(sums.size()));
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
