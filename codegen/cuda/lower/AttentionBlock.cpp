#include "codegen/cuda/lower/AttentionBlock.h"

#include <algorithm>
#include <numeric>

#include "codegen/cuda/KernelFunction.h"
#include "codegen/cuda/ReduceThreads.h"
#include "codegen/cuda/ThreadLoops.h"
#include "codegen/cuda/VectorAccess.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

/// Number of threads of a block down the rows, and across the others or the
/// columns.
constexpr int64_t kThreadsDown = 16, kThreadsAcross = 16;
static_assert(kThreadsDown * kThreadsAcross == kThreadsOfBlock);
/// Greatest number of K indices (the dimension that a product sums over) in
/// shared memory at once.
constexpr int64_t kSummed = 32;

/// Returns the number of rows or columns, or of others, that a thread has if
/// there are `extent` of them. The maxima fit into the registers in all
/// kernels.
int64_t perThread(int64_t extent) {
  return extent <= kThreadsAcross ? 1 : extent <= 2 * kThreadsAcross ? 2 : 4;
}
int64_t othersPerThread(int64_t extent) {
  return extent <= kThreadsAcross ? 1 : 2;
}

/// Returns the number of the `extent` K indices that a product has in shared
/// memory at once, a multiple of `lanes`.
int64_t summedAtOnce(int64_t extent, int64_t lanes) {
  // Prefer slices that divide the extent, if they are not too short; otherwise
  // take slices of about equal length.
  const int64_t even = std::gcd(extent, kSummed);
  if (even >= kSummed / 2) return even;
  const int64_t pieces = llvm::divideCeil(extent, kSummed);
  return llvm::alignTo(llvm::divideCeil(extent, pieces), lanes);
}

/// Loads the `count` elements from index `first` on of a row of `extent`
/// elements that begins at `row`. Elements beyond the end are zero. `first` is
/// a multiple of `count`.
Value loadWithin(KernelBuilder& builder, ElementRef row, Value first,
                 int64_t extent, int64_t count, Type compute) {
  const int64_t lanes = std::gcd(extent, count);
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < count; lane += lanes) {
    Value index = builder.add(first, lane);
    Value loaded = builder.branch(
        builder.isLess(index, builder.index(extent)),
        [&]() -> SmallVector<Value> {
          return {loadLanes(builder, builder.at(row, index), row.elementType(),
                            lanes)};
        },
        [&]() -> SmallVector<Value> {
          return {builder.number(VectorType::get(lanes, compute), 0)};
        })[0];
    for (int64_t i = 0; i < lanes; ++i)
      elements.push_back(vector::ExtractOp::create(builder, loaded, i));
  }
  return vector::FromElementsOp::create(
      builder, VectorType::get(count, compute), elements);
}

/// Stores `vector` from index `first` on of a row of `extent` elements that
/// begins at `row`. Elements beyond the end are not stored. `first` is a
/// multiple of the number of lanes.
void storeWithin(KernelBuilder& builder, Value vector, ElementRef row,
                 Value first, int64_t extent) {
  const int64_t count = cast<VectorType>(vector.getType()).getNumElements();
  const int64_t lanes = std::gcd(extent, count);
  for (int64_t lane = 0; lane < count; lane += lanes) {
    Value index = builder.add(first, lane);
    builder.branch(builder.isLess(index, builder.index(extent)), [&] {
      storeLanes(builder, takeLanes(builder, vector, lane, lanes),
                 builder.at(row, index));
    });
  }
}

}  // namespace

AttentionBlock::AttentionBlock(KernelBuilder& builder, Type compute,
                               int64_t rows, int64_t others, int64_t columns)
    : builder_(builder),
      arithmetic_(builder),
      compute_(compute),
      tileRows_(tileOf(rows)),
      tileOthers_(tileOfOthers(others)),
      left_(builder, compute, kSummed, tileOthers_),
      right_(builder, compute, kSummed, std::max(tileRows_, tileOf(columns))) {
  if (columns > 0) weights_.emplace(builder, compute, tileOthers_, tileRows_);
  limitRegisters(builder, 1024);
}

int64_t AttentionBlock::tileOf(int64_t extent) {
  return kThreadsAcross * perThread(extent);
}

int64_t AttentionBlock::tileOfOthers(int64_t extent) {
  return kThreadsAcross * othersPerThread(extent);
}

void AttentionBlock::begin(Value blockRow) {
  Value thread = gpu::ThreadIdOp::create(builder_, gpu::Dimension::x);
  down_ = builder_.div(thread, kThreadsAcross);
  across_ = builder_.rem(thread, kThreadsAcross);
  blockRow_ = blockRow;
  firstRow_ = builder_.add(blockRow, builder_.mul(down_, perThread(tileRows_)));
}

Value AttentionBlock::firstOther(Value tileBegin) {
  return builder_.add(tileBegin,
                      builder_.mul(across_, othersPerThread(tileOthers_)));
}

Value AttentionBlock::isFirstThreadOfRow() {
  return builder_.isEqual(across_, builder_.index(0));
}

// ---- Vectors with an element for each of the thread's rows ------------------

Value AttentionBlock::splat(double number) {
  return builder_.number(VectorType::get(perThread(tileRows_), compute_),
                         number);
}

Value AttentionBlock::compareRows(nn::Predicate predicate, Value bound) {
  Type i32 = builder_.getI32Type();
  SmallVector<int32_t> numbers(perThread(tileRows_));
  std::iota(numbers.begin(), numbers.end(), 0);
  Value rows =
      arith::ConstantOp::create(builder_, builder_.getI32VectorAttr(numbers));
  Value fromRow =
      arith::IndexCastOp::create(builder_, i32, builder_.sub(bound, firstRow_));
  return arithmetic_.compare(predicate, rows,
                             builder_.broadcast(fromRow, perThread(tileRows_)));
}

Value AttentionBlock::reduce(vector::CombiningKind kind, Value perRow) {
  SmallVector<Value> all;
  for (int64_t row = 0; row < perThread(tileRows_); ++row)
    all.push_back(reduceThreads(
        builder_, kind, vector::ExtractOp::create(builder_, perRow, row),
        kThreadsAcross));
  return vector::FromElementsOp::create(builder_, perRow.getType(), all);
}

Value AttentionBlock::load(const DenseMatrix& perRowOfHead) {
  return loadWithin(builder_, perRowOfHead.first, firstRow_,
                    perRowOfHead.columns, perThread(tileRows_), compute_);
}

void AttentionBlock::store(Value perRow, const DenseMatrix& perRowOfHead) {
  storeWithin(builder_, perRow, perRowOfHead.first, firstRow_,
              perRowOfHead.columns);
}

// ---- Weights ----------------------------------------------------------------

AttentionBlock::ThreadFragment AttentionBlock::products(
    const DenseMatrix& rows, const DenseMatrix& others, Value tileBegin) {
  // There is at least one slice, because callers rely on its barriers.
  const int64_t extent = std::max<int64_t>(rows.columns, 1);
  const int64_t summed = summedAtOnce(extent, rows.lanes());
  ThreadFragment sums(othersPerThread(tileOthers_), splat(0));
  return builder_.loop(
      builder_.index(0), builder_.index(extent), summed, sums,
      [&](Value first, ValueRange carried) {
        gpu::BarrierOp::create(builder_);
        left_.loadTransposed(others, tileBegin, first, summed, tileOthers_);
        right_.loadTransposed(rows, blockRow_, first, summed, tileRows_);
        gpu::BarrierOp::create(builder_);
        return addProducts(builder_, llvm::to_vector(carried), left_,
                           firstOther(builder_.index(0)), right_,
                           builder_.mul(down_, perThread(tileRows_)), summed);
      });
}

void AttentionBlock::storeWeights(const ThreadFragment& weights) {
  for (auto [i, perRow] : llvm::enumerate(weights))
    weights_->store(
        perRow,
        builder_.add(firstOther(builder_.index(0)), static_cast<int64_t>(i)),
        builder_.mul(down_, perThread(tileRows_)));
}

AttentionBlock::ThreadFragment AttentionBlock::loadWeights() {
  ThreadFragment weights;
  for (int64_t i = 0; i < othersPerThread(tileOthers_); ++i)
    weights.push_back(weights_->vectorAt(
        builder_.add(firstOther(builder_.index(0)), i),
        builder_.mul(down_, perThread(tileRows_)), perThread(tileRows_)));
  return weights;
}

AttentionBlock::ThreadFragment AttentionBlock::loadPerOther(
    const DenseMatrix& perOther, Value tileBegin) {
  Value loaded =
      loadWithin(builder_, perOther.first, firstOther(tileBegin),
                 perOther.columns, othersPerThread(tileOthers_), compute_);
  ThreadFragment numbers;
  for (int64_t i = 0; i < othersPerThread(tileOthers_); ++i)
    numbers.push_back(builder_.broadcast(
        vector::ExtractOp::create(builder_, loaded, i), perThread(tileRows_)));
  return numbers;
}

// ---- Sums -------------------------------------------------------------------

AttentionBlock::ThreadFragment AttentionBlock::zeroSums(int64_t columns) {
  auto type = VectorType::get(perThread(columns), compute_);
  return ThreadFragment(perThread(tileRows_), builder_.number(type, 0));
}

AttentionBlock::ThreadFragment AttentionBlock::scale(const ThreadFragment& sums,
                                                     Value perRow) {
  ThreadFragment scaled;
  for (auto [i, sum] : llvm::enumerate(sums))
    scaled.push_back(arithmetic_.mul(
        sum,
        builder_.broadcast(vector::ExtractOp::create(builder_, perRow,
                                                     static_cast<int64_t>(i)),
                           cast<VectorType>(sum.getType()).getNumElements())));
  return scaled;
}

AttentionBlock::ThreadFragment AttentionBlock::addRows(
    const ThreadFragment& sums, const DenseMatrix& others, Value tileBegin,
    Value firstColumn) {
  gpu::BarrierOp::create(builder_);
  right_.load(others, tileBegin, firstColumn, tileOthers_,
              tileOf(others.columns));
  gpu::BarrierOp::create(builder_);
  return addProducts(
      builder_, sums, *weights_, builder_.mul(down_, perThread(tileRows_)),
      right_, builder_.mul(across_, perThread(others.columns)), tileOthers_);
}

void AttentionBlock::store(const ThreadFragment& sums,
                           const DenseMatrix& result, Value firstColumn) {
  Value column = builder_.add(firstColumn,
                              builder_.mul(across_, perThread(result.columns)));
  for (auto [i, sum] : llvm::enumerate(sums)) {
    Value row = builder_.add(firstRow_, static_cast<int64_t>(i));
    builder_.branch(
        builder_.isLess(row, builder_.index(result.rows)), [&, sum = sum] {
          storeWithin(
              builder_, sum,
              builder_.at(result.first, builder_.mul(row, result.columns)),
              column, result.columns);
        });
  }
}

}  // namespace sbp::cuda
