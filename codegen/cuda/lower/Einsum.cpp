// The kernel of nn.einsum: any contraction, in tiles.
//
// All loops of one role are one: a batch, a row and a column of the result, and
// what is summed over. A block computes a tile of rows x columns of one batch.
// It goes through what is summed over piece by piece; of each its threads load
// the tiles of both operands into shared memory, and multiply them, each for
// some rows and columns in registers:
//
//   C [64 rows, 64 columns] += A [64 rows, 16] * B [16, 64 columns]
//
// What lies beyond the edges is loaded as zero and not stored.

#include <algorithm>

#include "codegen/cuda/Indices.h"
#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/SharedMemory.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/Families.h"
#include "codegen/kernels/Contraction.h"
#include "dialects/nn/Nn.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

constexpr int64_t kTileRows = 64, kTileColumns = 64, kTileSummed = 16;
/// Of a thread, neighbouring ones.
constexpr int64_t kThreadRows = 4, kThreadColumns = 4;
constexpr int64_t kThreadsAcross = kTileColumns / kThreadColumns;
static_assert(kThreadsAcross * kTileRows / kThreadRows == kThreadsOfBlock,
              "a tile is what the threads of a block have");

using Stride = int64_t ContractionLoop::*;

/// Loops of one role as one, outermost first.
class Axis {
 public:
  /// The loop that walks `innermost` in the smallest steps comes last.
  Axis(SmallVector<ContractionLoop> loops, Stride innermost)
      : loops_(std::move(loops)) {
    llvm::sort(loops_, [&](const auto& left, const auto& right) {
      return left.*innermost > right.*innermost;
    });
  }

  int64_t extent() const {
    int64_t extent = 1;
    for (const ContractionLoop& loop : loops_) extent *= loop.extent;
    return extent;
  }

  /// Whether neighbours on the axis are neighbours in memory.
  bool isDense(Stride stride) const {
    return !loops_.empty() && loops_.back().*stride == 1;
  }

  /// How far `number` on the axis moves in the tensor of `stride`.
  Value offsetOf(KernelBuilder& builder, Value number, Stride stride) const {
    SmallVector<int64_t> extents;
    for (const ContractionLoop& loop : loops_) extents.push_back(loop.extent);
    Value offset = builder.index(0);
    for (auto [loop, index] :
         llvm::zip_equal(loops_, indicesOf(builder, number, extents)))
      if (loop.*stride)
        offset = builder.add(offset, builder.mul(index, loop.*stride));
    return offset;
  }

 private:
  SmallVector<ContractionLoop> loops_;
};

SmallVector<ContractionLoop> loopsOf(const Contraction& contraction, bool hasA,
                                     bool hasB) {
  SmallVector<ContractionLoop> loops;
  for (const ContractionLoop& loop : contraction.parallelLoops())
    if (loop.extent != 1 && (loop.a != 0) == hasA && (loop.b != 0) == hasB)
      loops.push_back(loop);
  return loops;
}

SmallVector<ContractionLoop> summedLoopsOf(const Contraction& contraction) {
  SmallVector<ContractionLoop> loops = contraction.summedLoops();
  llvm::erase_if(loops, [](const auto& loop) { return loop.extent == 1; });
  return loops;
}

class EinsumKernel {
 public:
  EinsumKernel(nn::EinsumOp op, const Contraction& contraction,
               KernelBuilder& builder, const KernelArguments& arguments)
      : builder_(builder),
        arguments_(arguments),
        batches_(loopsOf(contraction, true, true), &ContractionLoop::c),
        rows_(loopsOf(contraction, true, false), &ContractionLoop::c),
        columns_(loopsOf(contraction, false, true), &ContractionLoop::c),
        summed_(summedLoopsOf(contraction), &ContractionLoop::a),
        a_(arguments.operands[contraction.isSwapped ? 1 : 0]),
        b_(arguments.operands[contraction.isSwapped ? 0 : 1]),
        c_(arguments.results[0]),
        element_(getElementTypeOrSelf(op.getResult())),
        compute_(computeType(element_)) {}

  void emit() {
    tileA_ = addShared(builder_, compute_, kTileSummed * kTileRows);
    tileB_ = addShared(builder_, compute_, kTileSummed * kTileColumns);
    const int64_t across = llvm::divideCeil(columns_.extent(), kTileColumns);
    const int64_t down = llvm::divideCeil(rows_.extent(), kTileRows);
    arguments_.threads.forNumbers(
        builder_, batches_.extent() * down * across, kThreadsOfBlock,
        [&](Value tile) {
          thread_ = gpu::ThreadIdOp::create(builder_, gpu::Dimension::x);
          firstColumn_ = builder_.mul(builder_.rem(tile, across), kTileColumns);
          Value rest = builder_.div(tile, across);
          firstRow_ = builder_.mul(builder_.rem(rest, down), kTileRows);
          Value batch = builder_.div(rest, down);
          Place a = moved(a_, batches_, batch, &ContractionLoop::a);
          Place b = moved(b_, batches_, batch, &ContractionLoop::b);
          store(multiply(a, b),
                moved(c_, batches_, batch, &ContractionLoop::c));
        });
  }

 private:
  Place moved(Place place, const Axis& axis, Value number, Stride stride) {
    return builder_.at(place, axis.offsetOf(builder_, number, stride));
  }

  /// The thread's first row and column in the tile.
  Value ownRow() {
    return builder_.mul(builder_.div(thread_, kThreadsAcross), kThreadRows);
  }
  Value ownColumn() {
    return builder_.mul(builder_.rem(thread_, kThreadsAcross), kThreadColumns);
  }

  /// The thread's part of the tile, a vector of columns for each row.
  SmallVector<Value> multiply(Place a, Place b) {
    auto type = VectorType::get(kThreadColumns, compute_);
    SmallVector<Value> sums(kThreadRows, builder_.number(type, 0));
    return builder_.loop(
        builder_.index(0), builder_.index(summed_.extent()), kTileSummed, sums,
        [&](Value first, ValueRange carried) {
          // All have read the tiles before.
          gpu::BarrierOp::create(builder_);
          load(a, rows_, firstRow_, first, &ContractionLoop::a, tileA_,
               kTileRows);
          load(b, columns_, firstColumn_, first, &ContractionLoop::b, tileB_,
               kTileColumns);
          gpu::BarrierOp::create(builder_);
          return addProducts(llvm::to_vector_of<Value>(carried));
        });
  }

  /// Loads a tile [summed, across] from `from`, `across` of them along `axis`
  /// from `firstAcross` on, of what is summed over from `firstSummed` on.
  void load(Place from, const Axis& axis, Value firstAcross, Value firstSummed,
            Stride stride, Place tile, int64_t across) {
    // Neighbouring threads load neighbours in memory.
    const bool isAlongSummed = summed_.isDense(stride);
    for (int64_t i = 0; i < kTileSummed * across / kThreadsOfBlock; ++i) {
      Value number = builder_.add(thread_, i * kThreadsOfBlock);
      const int64_t innermost = isAlongSummed ? kTileSummed : across;
      Value inner = builder_.rem(number, innermost);
      Value outer = builder_.div(number, innermost);
      Value inAcross = isAlongSummed ? outer : inner;
      Value inSummed = isAlongSummed ? inner : outer;
      Value onAxis = builder_.add(firstAcross, inAcross);
      Value onSummed = builder_.add(firstSummed, inSummed);
      Value isThere = arith::AndIOp::create(
          builder_, builder_.isLess(onAxis, builder_.index(axis.extent())),
          builder_.isLess(onSummed, builder_.index(summed_.extent())));
      Value element = builder_.branch(
          isThere,
          [&]() -> SmallVector<Value> {
            Place place = moved(moved(from, axis, onAxis, stride), summed_,
                                onSummed, stride);
            return {loadOne(builder_, place)};
          },
          [&]() -> SmallVector<Value> {
            return {builder_.number(compute_, 0)};
          })[0];
      builder_.store(element, builder_.at(builder_.at(tile, inAcross),
                                          builder_.mul(inSummed, across)));
    }
  }

  SmallVector<Value> addProducts(SmallVector<Value> sums) {
    return builder_.loop(
        builder_.index(0), builder_.index(kTileSummed), 1, sums,
        [&](Value k, ValueRange carried) {
          Value rows = loadLanes(
              builder_,
              builder_.at(builder_.at(tileA_, builder_.mul(k, kTileRows)),
                          ownRow()),
              compute_, kThreadRows);
          Value columns = loadLanes(
              builder_,
              builder_.at(builder_.at(tileB_, builder_.mul(k, kTileColumns)),
                          ownColumn()),
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

  void store(ArrayRef<Value> sums, Place c) {
    for (auto [i, sum] : llvm::enumerate(sums)) {
      Value row = builder_.add(builder_.add(firstRow_, ownRow()),
                               static_cast<int64_t>(i));
      for (int64_t j = 0; j < kThreadColumns; ++j) {
        Value column = builder_.add(builder_.add(firstColumn_, ownColumn()), j);
        Value isThere = arith::AndIOp::create(
            builder_, builder_.isLess(row, builder_.index(rows_.extent())),
            builder_.isLess(column, builder_.index(columns_.extent())));
        builder_.branch(isThere, [&, sum = sum] {
          storeOne(builder_, vector::ExtractOp::create(builder_, sum, j),
                   moved(moved(c, rows_, row, &ContractionLoop::c), columns_,
                         column, &ContractionLoop::c));
        });
      }
    }
  }

  KernelBuilder& builder_;
  const KernelArguments& arguments_;
  Axis batches_, rows_, columns_, summed_;
  Place a_, b_, c_;
  Type element_, compute_;
  Place tileA_, tileB_;
  Value thread_, firstRow_, firstColumn_;
};

void emitEinsum(nn::EinsumOp op, KernelBuilder& builder,
                const KernelArguments& arguments) {
  const Contraction contraction =
      contractionOf(op.getEquation(),
                    cast<RankedTensorType>(op.getLhs().getType()).getShape(),
                    cast<RankedTensorType>(op.getRhs().getType()).getShape());
  EinsumKernel(op, contraction, builder, arguments).emit();
}

}  // namespace

void attachEinsumKernels(MLIRContext& context) {
  nn::EinsumOp::attachInterface<SimpleKernel<nn::EinsumOp, emitEinsum>>(
      context);
}

}  // namespace sbp::cuda
