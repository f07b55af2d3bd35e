#include "codegen/cuda/TiledProduct.h"

#include <algorithm>

#include "codegen/cuda/AddPartialSums.h"
#include "codegen/cuda/Indices.h"
#include "codegen/cuda/OperandTile.h"
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

/// Factor by which the loop over K indices is unrolled; it divides the slices
/// of every tiling. With a factor of four, or of one (which ptxas then unrolls
/// itself), a large tile takes more than 128 registers, so that only one block
/// fits on a multiprocessor, not two.
constexpr int64_t kUnrolled = 2;

/// Emits the code of a block for its tile of the result, or for one part of the
/// tile's sums. A tile consists of squares, and a thread has the same rows and
/// columns in each square. So adjacent threads read adjacent fragments from
/// shared memory, which are in different banks.
class TileCode {
 public:
  TileCode(KernelBuilder& builder, const ProductTiling& tiling, Type compute,
           ProductTensors& tensors)
      : builder_(builder),
        tiling_(tiling),
        compute_(compute),
        tensors_(tensors),
        left_(builder, compute, {tiling.rows(), tiling.sliceDepth()},
              {tiling.extents().rows, tiling.extents().summed},
              tensors.leftLayout()),
        right_(builder, compute, {tiling.columns(), tiling.sliceDepth()},
               {tiling.extents().columns, tiling.extents().summed},
               tensors.rightLayout()) {}

  /// Begins the code of the tile at `firstRow` and `firstColumn` of `batch`.
  void begin(Value batch, Value firstRow, Value firstColumn) {
    batch_ = batch;
    firstRow_ = firstRow;
    firstColumn_ = firstColumn;
    thread_ = gpu::ThreadIdOp::create(builder_, gpu::Dimension::x);
    ownRow_ = builder_.mul(builder_.div(thread_, kThreadsAcross), kFragment);
    ownColumn_ = builder_.mul(builder_.rem(thread_, kThreadsAcross), kFragment);
  }

  /// Emits the sums over the K indices [begin, end); `begin` is a multiple of
  /// tiling.sliceDepth(). Returns, for each row of the thread, a vector per
  /// fragment of its columns.
  SmallVector<Value> multiply(Value begin, Value end) {
    auto type = VectorType::get(kFragment, compute_);
    SmallVector<Value> sums(numRows() * numFragments(),
                            builder_.number(type, 0));
    // Each iteration starts to load a slice, then multiplies the slice before.
    sums = builder_.loop(
        begin, end, tiling_.sliceDepth(), sums,
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

  /// Stores the elements of `sums` that exist in the result, which begins at
  /// `first`.
  void store(ArrayRef<Value> sums, ElementRef first) {
    const int64_t lanes = std::min(kFragment, tensors_.resultLanes());
    for (int64_t i = 0; i < numRows(); ++i)
      for (int64_t j = 0; j < numFragments(); ++j)
        for (int64_t lane = 0; lane < kFragment; lane += lanes) {
          Value row = builder_.add(firstRow_, rowInTile(i));
          Value column =
              builder_.add(builder_.add(firstColumn_, columnInTile(j)), lane);
          ProductTensors::Result result = tensors_.result(batch_, row, column);
          const ProductExtents& extents = tiling_.extents();
          Value isValid =
              both(both(isBelow(builder_, row, extents.rows, tiling_.rows()),
                        isBelow(builder_, column, extents.columns,
                                tiling_.columns())),
                   result.isValid);
          builder_.branch(isValid, [&] {
            Value fragment = sums[i * numFragments() + j];
            storeLanes(builder_, takeLanes(builder_, fragment, lane, lanes),
                       builder_.at(first, result.number));
          });
        }
  }

 private:
  // The rows and fragments of columns of one thread.
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

  /// Returns the half of shared memory that holds the slice with K index
  /// `summed`.
  Value halfOf(Value summed) {
    return builder_.rem(builder_.div(summed, tiling_.sliceDepth()), 2);
  }

  /// Returns `sums`, plus the products of the slice in `half` if `isValid`.
  SmallVector<Value> addIf(Value isValid, Value half, ValueRange sums) {
    return builder_.branch(
        isValid, [&] { return addProducts(half, sums); },
        [&] { return llvm::to_vector_of<Value>(sums); });
  }

  SmallVector<Value> addProducts(Value half, ValueRange sums) {
    return builder_.loop(
        builder_.index(0), builder_.index(tiling_.sliceDepth()), kUnrolled,
        sums, [&](Value first, ValueRange carried) {
          SmallVector<Value> next = llvm::to_vector_of<Value>(carried);
          for (int64_t k = 0; k < kUnrolled; ++k)
            addProductsOf(builder_.add(first, k), half, next);
          return next;
        });
  }

  /// Adds the products of K index `term` of the slice to `sums`.
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
  Value ownRow_, ownColumn_;  // the first ones of the thread, in the tile
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

ElementRef TiledProduct::partialSums(KernelBuilder& builder,
                                     ElementRef scratch) const {
  return builder.view(scratch, 0, compute_, tiling_.parts() * numResults_);
}

void TiledProduct::build(Launches& launches, MakeTensors makeTensors) const {
  launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
    emitTiles(builder, arguments, *makeTensors(builder, arguments));
  });
  if (tiling_.parts() == 1) return;
  launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
    addPartialSums(
        builder, arguments.threads, partialSums(builder, arguments.scratch),
        tiling_.parts(), numResults_, [&](Value number, Value sum) {
          storeOne(builder, sum, builder.at(arguments.results[0], number));
        });
  });
}

void TiledProduct::emitTiles(KernelBuilder& builder,
                             const KernelArguments& arguments,
                             ProductTensors& tensors) const {
  TileCode tile(builder, tiling_, compute_, tensors);
  arguments.threads.forEachItem(
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
