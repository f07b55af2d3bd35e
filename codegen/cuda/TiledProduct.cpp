#include "codegen/cuda/TiledProduct.h"

#include <algorithm>

#include "codegen/cuda/Indices.h"
#include "codegen/cuda/OperandTile.h"
#include "codegen/cuda/SumParts.h"
#include "codegen/cuda/VectorAccess.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

constexpr int64_t kSquare = ProductTiling::kSquare;
constexpr int64_t kThreadsAcross = kSquare / kFragment;
static_assert(kThreadsAcross * kThreadsAcross == kThreadsOfBlock,
              "each thread has a fragment of rows and one of columns of a "
              "square");

/// Terms whose products stand side by side in the code; each tiling has a
/// multiple of them. With four, or with one, which ptxas then unrolls itself, a
/// large tile takes more than 128 registers, so that a multiprocessor has room
/// for one block instead of two.
constexpr int64_t kUnrolled = 2;

/// The code of a block's tile, or of a part of its sums. A tile is made of
/// squares, and a thread has the same rows and columns of each: so neighbouring
/// threads take neighbouring fragments out of shared memory, which are in
/// different banks.
class Tile {
 public:
  Tile(KernelBuilder& builder, const ProductTiling& tiling, Type compute,
       ProductTensors& tensors)
      : builder_(builder),
        tiling_(tiling),
        compute_(compute),
        tensors_(tensors),
        left_(builder, compute, {tiling.rows(), tiling.summed()},
              {tiling.extents().rows, tiling.extents().summed},
              tensors.leftLayout()),
        right_(builder, compute, {tiling.columns(), tiling.summed()},
               {tiling.extents().columns, tiling.extents().summed},
               tensors.rightLayout()) {}

  /// Begins the code of the tile in a batch that has these rows and columns.
  void begin(Value batch, Value firstRow, Value firstColumn) {
    batch_ = batch;
    firstRow_ = firstRow;
    firstColumn_ = firstColumn;
    thread_ = gpu::ThreadIdOp::create(builder_, gpu::Dimension::x);
    ownRow_ = builder_.mul(builder_.div(thread_, kThreadsAcross), kFragment);
    ownColumn_ = builder_.mul(builder_.rem(thread_, kThreadsAcross), kFragment);
  }

  /// The sums over [begin, end), where begin is a multiple of the tiling's
  /// terms: for each row of the thread, a vector for each of its fragments of
  /// columns.
  SmallVector<Value> multiply(Value begin, Value end) {
    auto type = VectorType::get(kFragment, compute_);
    SmallVector<Value> sums(numRows() * numFragments(),
                            builder_.number(type, 0));
    // While one piece is multiplied, the next is on its way.
    sums = builder_.loop(
        begin, end, tiling_.summed(), sums,
        [&](Value first, ValueRange carried) {
          SmallVector<Value> left = left_.load(
              thread_, firstRow_, first, [&](Value row, Value summed) {
                return tensors_.left(batch_, row, summed);
              });
          SmallVector<Value> right = right_.load(
              thread_, firstColumn_, first, [&](Value column, Value summed) {
                return tensors_.right(batch_, column, summed);
              });
          Value half = halfOf(first);
          SmallVector<Value> next =
              addIf(builder_.isLess(begin, first),
                    builder_.sub(builder_.index(1), half), carried);
          left_.store(thread_, left, half);
          right_.store(thread_, right, half);
          gpu::BarrierOp::create(builder_);
          return next;
        });
    return addIf(builder_.isLess(begin, end), halfOf(builder_.add(end, -1)),
                 sums);
  }

  /// Stores those of `sums` that are in the result to its numbers from `first`
  /// on.
  void store(ArrayRef<Value> sums, Place first) {
    const int64_t lanes = std::min(kFragment, tensors_.resultLanes());
    for (int64_t i = 0; i < numRows(); ++i)
      for (int64_t j = 0; j < numFragments(); ++j)
        for (int64_t lane = 0; lane < kFragment; lane += lanes) {
          Value row = builder_.add(firstRow_, rowInTile(i));
          Value column =
              builder_.add(builder_.add(firstColumn_, columnInTile(j)), lane);
          ProductTensors::Result result = tensors_.result(batch_, row, column);
          const ProductExtents& extents = tiling_.extents();
          Value isThere =
              both(both(isBelow(builder_, row, extents.rows, tiling_.rows()),
                        isBelow(builder_, column, extents.columns,
                                tiling_.columns())),
                   result.isThere);
          builder_.branch(isThere, [&] {
            Value fragment = sums[i * numFragments() + j];
            storeLanes(builder_, takeLanes(builder_, fragment, lane, lanes),
                       builder_.at(first, result.number));
          });
        }
  }

 private:
  // Of a thread.
  int64_t numRows() const { return tiling_.rows() / kThreadsAcross; }
  int64_t numFragments() const { return tiling_.columns() / kSquare; }
  Value rowInTile(int64_t i) {
    return builder_.add(ownRow_, i / kFragment * kSquare + i % kFragment);
  }
  Value columnInTile(int64_t fragment) {
    return builder_.add(ownColumn_, fragment * kSquare);
  }

  Value both(Value a, Value b) {
    return builder_.createOrFold<arith::AndIOp>(a, b);
  }

  /// The half of shared memory that has the piece with this term.
  Value halfOf(Value summed) {
    return builder_.rem(builder_.div(summed, tiling_.summed()), 2);
  }

  /// `sums`, and the products of the piece in `half` if `isThere`.
  SmallVector<Value> addIf(Value isThere, Value half, ValueRange sums) {
    return builder_.branch(
        isThere, [&] { return addProducts(half, sums); },
        [&] { return llvm::to_vector_of<Value>(sums); });
  }

  SmallVector<Value> addProducts(Value half, ValueRange sums) {
    return builder_.loop(builder_.index(0), builder_.index(tiling_.summed()),
                         kUnrolled, sums, [&](Value first, ValueRange carried) {
                           SmallVector<Value> next =
                               llvm::to_vector_of<Value>(carried);
                           for (int64_t k = 0; k < kUnrolled; ++k)
                             addProductsOf(builder_.add(first, k), half, next);
                           return next;
                         });
  }

  /// Adds the products of one term to `sums`.
  void addProductsOf(Value term, Value half, MutableArrayRef<Value> sums) {
    SmallVector<Value> columns;
    for (int64_t j = 0; j < numFragments(); ++j)
      columns.push_back(right_.fragment(half, term, columnInTile(j)));
    Value rows;
    for (auto [number, sum] : llvm::enumerate(sums)) {
      const auto i = static_cast<int64_t>(number) / numFragments();
      const auto j = static_cast<int64_t>(number) % numFragments();
      if (i % kFragment == 0 && j == 0)
        rows = left_.fragment(half, term, rowInTile(i));
      Value row = vector::ExtractOp::create(builder_, rows, i % kFragment);
      sum = builder_.multiplyAdd(builder_.broadcast(row, kFragment), columns[j],
                                 sum);
    }
  }

  KernelBuilder& builder_;
  const ProductTiling& tiling_;
  Type compute_;
  ProductTensors& tensors_;
  OperandTile left_, right_;
  Value batch_, firstRow_, firstColumn_;
  Value thread_;
  Value ownRow_, ownColumn_;  // of the thread, in the tile
};

}  // namespace

TiledProduct::TiledProduct(const ProductExtents& extents,
                           RankedTensorType result)
    : tiling_(extents, result.getElementType()),
      numResults_(result.getNumElements()),
      compute_(computeType(result.getElementType())) {}

int64_t TiledProduct::scratchBytes() const {
  if (tiling_.parts() == 1) return 0;
  return tiling_.parts() * numResults_ * compute_.getIntOrFloatBitWidth() / 8;
}

Place TiledProduct::partialSums(KernelBuilder& builder, Place scratch) const {
  return builder.view(scratch, 0, compute_, tiling_.parts() * numResults_);
}

void TiledProduct::build(Launches& launches, MakeTensors makeTensors) const {
  launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
    emitTiles(builder, arguments, *makeTensors(builder, arguments));
  });
  if (tiling_.parts() == 1) return;
  launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
    sumParts(builder, arguments.threads,
             partialSums(builder, arguments.scratch), tiling_.parts(),
             numResults_, [&](Value number, Value sum) {
               storeOne(builder, sum, builder.at(arguments.results[0], number));
             });
  });
}

void TiledProduct::emitTiles(KernelBuilder& builder,
                             const KernelArguments& arguments,
                             ProductTensors& tensors) const {
  Tile tile(builder, tiling_, compute_, tensors);
  arguments.threads.forNumbers(
      builder, tiling_.blocks(), kThreadsOfBlock, [&](Value number) {
        Value column = builder.rem(number, tiling_.tilesAcross());
        number = builder.div(number, tiling_.tilesAcross());
        Value row = builder.rem(number, tiling_.tilesDown());
        number = builder.div(number, tiling_.tilesDown());
        const ProductExtents& extents = tiling_.extents();
        Value batch = builder.rem(number, extents.batches);
        tile.begin(batch, builder.mul(row, tiling_.rows()),
                   builder.mul(column, tiling_.columns()));
        Value end = builder.index(extents.summed);
        if (tiling_.parts() == 1)
          return tile.store(tile.multiply(builder.index(0), end),
                            arguments.results[0]);
        Value part = builder.div(number, extents.batches);
        Value begin = builder.mul(part, tiling_.summedOfPart());
        SmallVector<Value> sums = tile.multiply(
            begin,
            builder.min(builder.add(begin, tiling_.summedOfPart()), end));
        tile.store(sums, builder.at(partialSums(builder, arguments.scratch),
                                    builder.mul(part, numResults_)));
      });
}

}  // namespace sbp::cuda
