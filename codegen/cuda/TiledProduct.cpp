#include "codegen/cuda/TiledProduct.h"

#include <algorithm>

#include "codegen/cuda/SharedMemory.h"
#include "codegen/cuda/SumParts.h"
#include "codegen/cuda/VectorAccess.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

constexpr int64_t kTileRows = 64, kTileColumns = 64, kTileSummed = 16;
/// Of a thread, neighbouring ones.
constexpr int64_t kThreadRows = 4, kThreadColumns = 4;
constexpr int64_t kThreadsAcross = kTileColumns / kThreadColumns;
static_assert(kThreadsAcross * kTileRows / kThreadRows == kThreadsOfBlock,
              "a tile is what the threads of a block have");

/// With fewer tiles than a chip runs at once, sums are divided into parts,
/// until there are so many blocks or each part has so few terms.
constexpr int64_t kFewTiles = 128, kManyBlocks = 256, kLeastTerms = 256;

/// The code of a block's tile, or of a part of its sums.
class Tile {
 public:
  Tile(KernelBuilder& builder, const ProductExtents& extents, Type compute,
       ProductTensors& tensors)
      : builder_(builder),
        extents_(extents),
        compute_(compute),
        tensors_(tensors),
        left_(addShared(builder, compute, kTileSummed * kTileRows)),
        right_(addShared(builder, compute, kTileSummed * kTileColumns)) {}

  /// Begins the code of the tile in a batch that has these rows and columns.
  void begin(Value batch, Value firstRow, Value firstColumn) {
    batch_ = batch;
    firstRow_ = firstRow;
    firstColumn_ = firstColumn;
    thread_ = gpu::ThreadIdOp::create(builder_, gpu::Dimension::x);
    ownRow_ = builder_.mul(builder_.div(thread_, kThreadsAcross), kThreadRows);
    ownColumn_ =
        builder_.mul(builder_.rem(thread_, kThreadsAcross), kThreadColumns);
  }

  /// The sums over [begin, end), of which the thread has a vector of columns
  /// for each row.
  SmallVector<Value> multiply(Value begin, Value end) {
    auto type = VectorType::get(kThreadColumns, compute_);
    SmallVector<Value> sums(kThreadRows, builder_.number(type, 0));
    return builder_.loop(
        begin, end, kTileSummed, sums, [&](Value first, ValueRange carried) {
          // All have read the tiles before.
          gpu::BarrierOp::create(builder_);
          loadLeft(first);
          loadRight(first);
          gpu::BarrierOp::create(builder_);
          return addProducts(llvm::to_vector_of<Value>(carried));
        });
  }

  /// Calls `body` with each of the thread's `sums` that is in the result, and
  /// its number there.
  void forResults(ArrayRef<Value> sums,
                  llvm::function_ref<void(Value, Value)> body) {
    for (auto [i, sum] : llvm::enumerate(sums)) {
      Value row = builder_.add(builder_.add(firstRow_, ownRow_),
                               static_cast<int64_t>(i));
      for (int64_t j = 0; j < kThreadColumns; ++j) {
        Value column = builder_.add(builder_.add(firstColumn_, ownColumn_), j);
        ProductTensors::Result result = tensors_.result(batch_, row, column);
        Value isThere =
            both(both(isBelow(row, extents_.rows, kTileRows),
                      isBelow(column, extents_.columns, kTileColumns)),
                 result.isThere);
        builder_.branch(isThere, [&, sum = sum] {
          body(vector::ExtractOp::create(builder_, sum, j), result.number);
        });
      }
    }
  }

 private:
  Value both(Value a, Value b) {
    return builder_.createOrFold<arith::AndIOp>(a, b);
  }

  /// Whether `index` of a tile of `tile` is below `extent`.
  Value isBelow(Value index, int64_t extent, int64_t tile) {
    if (extent % tile == 0) return arith::ConstantIntOp::create(builder_, 1, 1);
    return builder_.isLess(index, builder_.index(extent));
  }

  void loadLeft(Value firstSummed) {
    load(left_, kTileRows, extents_.rows, firstRow_, firstSummed,
         tensors_.isLeftDenseAlongSum(), [&](Value row, Value summed) {
           return tensors_.left(batch_, row, summed);
         });
  }
  void loadRight(Value firstSummed) {
    load(right_, kTileColumns, extents_.columns, firstColumn_, firstSummed,
         tensors_.isRightDenseAlongSum(), [&](Value column, Value summed) {
           return tensors_.right(batch_, column, summed);
         });
  }

  /// Loads a tile [summed, across], from `firstSummed` and `firstAcross` on, of
  /// `extent` rows or columns. Neighbouring threads load neighbours in memory.
  void load(Place tile, int64_t across, int64_t extent, Value firstAcross,
            Value firstSummed, bool isDenseAlongSum,
            llvm::function_ref<ProductTensors::Element(Value, Value)> at) {
    for (int64_t i = 0; i < kTileSummed * across / kThreadsOfBlock; ++i) {
      Value number = builder_.add(thread_, i * kThreadsOfBlock);
      const int64_t innermost = isDenseAlongSum ? kTileSummed : across;
      Value inner = builder_.rem(number, innermost);
      Value outer = builder_.div(number, innermost);
      Value inAcross = isDenseAlongSum ? outer : inner;
      Value inSummed = isDenseAlongSum ? inner : outer;
      Value onAcross = builder_.add(firstAcross, inAcross);
      Value onSummed = builder_.add(firstSummed, inSummed);
      ProductTensors::Element element = at(onAcross, onSummed);
      Value isThere =
          both(both(isBelow(onAcross, extent, across),
                    isBelow(onSummed, extents_.summed, kTileSummed)),
               element.isThere);
      Value loaded = builder_.branch(
          isThere,
          [&]() -> SmallVector<Value> {
            return {loadOne(builder_, element.place)};
          },
          [&]() -> SmallVector<Value> {
            return {builder_.number(compute_, 0)};
          })[0];
      builder_.store(loaded, builder_.at(builder_.at(tile, inAcross),
                                         builder_.mul(inSummed, across)));
    }
  }

  SmallVector<Value> addProducts(SmallVector<Value> sums) {
    return builder_.loop(
        builder_.index(0), builder_.index(kTileSummed), 1, sums,
        [&](Value k, ValueRange carried) {
          Value rows = loadLanes(
              builder_,
              builder_.at(builder_.at(left_, builder_.mul(k, kTileRows)),
                          ownRow_),
              compute_, kThreadRows);
          Value columns = loadLanes(
              builder_,
              builder_.at(builder_.at(right_, builder_.mul(k, kTileColumns)),
                          ownColumn_),
              compute_, kThreadColumns);
          SmallVector<Value> next;
          for (int64_t row = 0; row < kThreadRows; ++row)
            next.push_back(builder_.multiplyAdd(
                builder_.broadcast(
                    vector::ExtractOp::create(builder_, rows, row),
                    kThreadColumns),
                columns, carried[row]));
          return next;
        });
  }

  KernelBuilder& builder_;
  const ProductExtents& extents_;
  Type compute_;
  ProductTensors& tensors_;
  Place left_, right_;  // [summed, rows] and [summed, columns]
  Value batch_, firstRow_, firstColumn_;
  Value thread_, ownRow_, ownColumn_;
};

}  // namespace

TiledProduct::TiledProduct(ProductExtents extents, RankedTensorType result)
    : extents_(extents),
      numResults_(result.getNumElements()),
      compute_(computeType(result.getElementType())),
      tilesDown_(llvm::divideCeil(extents.rows, kTileRows)),
      tilesAcross_(llvm::divideCeil(extents.columns, kTileColumns)),
      parts_(1) {
  const int64_t tiles = extents.batches * tilesDown_ * tilesAcross_;
  if (tiles == 0 || tiles >= kFewTiles) return;
  const int64_t most = llvm::divideCeil(extents.summed, kLeastTerms);
  parts_ = std::clamp<int64_t>(llvm::divideCeil(kManyBlocks, tiles), 1,
                               std::max<int64_t>(most, 1));
}

int64_t TiledProduct::summedOfPart() const {
  return llvm::alignTo(llvm::divideCeil(extents_.summed, parts_), kTileSummed);
}

int64_t TiledProduct::scratchBytes() const {
  if (parts_ == 1) return 0;
  return parts_ * numResults_ * compute_.getIntOrFloatBitWidth() / 8;
}

Place TiledProduct::partialSums(KernelBuilder& builder, Place scratch) const {
  return builder.view(scratch, 0, compute_, parts_ * numResults_);
}

void TiledProduct::build(Launches& launches, MakeTensors makeTensors) const {
  launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
    emitTiles(builder, arguments, *makeTensors(builder, arguments));
  });
  if (parts_ == 1) return;
  launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
    sumParts(builder, arguments.threads,
             partialSums(builder, arguments.scratch), parts_, numResults_,
             [&](Value number, Value sum) {
               storeOne(builder, sum, builder.at(arguments.results[0], number));
             });
  });
}

void TiledProduct::emitTiles(KernelBuilder& builder,
                             const KernelArguments& arguments,
                             ProductTensors& tensors) const {
  Tile tile(builder, extents_, compute_, tensors);
  arguments.threads.forNumbers(
      builder, parts_ * extents_.batches * tilesDown_ * tilesAcross_,
      kThreadsOfBlock, [&](Value number) {
        Value column = builder.rem(number, tilesAcross_);
        number = builder.div(number, tilesAcross_);
        Value row = builder.rem(number, tilesDown_);
        number = builder.div(number, tilesDown_);
        Value batch = builder.rem(number, extents_.batches);
        tile.begin(batch, builder.mul(row, kTileRows),
                   builder.mul(column, kTileColumns));
        Value end = builder.index(extents_.summed);
        if (parts_ == 1) {
          tile.forResults(
              tile.multiply(builder.index(0), end), [&](Value sum, Value at) {
                storeOne(builder, sum, builder.at(arguments.results[0], at));
              });
          return;
        }
        Value part = builder.div(number, extents_.batches);
        Value begin = builder.mul(part, summedOfPart());
        SmallVector<Value> sums = tile.multiply(
            begin, builder.min(builder.add(begin, summedOfPart()), end));
        Place to = builder.at(partialSums(builder, arguments.scratch),
                              builder.mul(part, numResults_));
        tile.forResults(sums, [&](Value sum, Value at) {
          storeOne(builder, sum, builder.at(to, at));
        });
      });
}

}  // namespace sbp::cuda
