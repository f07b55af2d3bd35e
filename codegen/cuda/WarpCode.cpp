#include "codegen/cuda/WarpCode.h"

#include "codegen/cuda/ReduceThreads.h"
#include "codegen/cuda/ThreadLoops.h"
#include "codegen/cuda/VectorAccess.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sbp::cuda {

using namespace mlir;
using vector::CombiningKind;

WarpCode::WarpCode(KernelBuilder& builder, Type elementType)
    : builder_(builder),
      x_(builder),
      elementType_(elementType),
      computeType_(computeType(elementType)) {}

void WarpCode::begin() {
  lane_ = builder_.rem(gpu::ThreadIdOp::create(builder_, gpu::Dimension::x),
                       kThreadsOfWarp);
}

Value WarpCode::number(double value) {
  return builder_.number(computeType_, value);
}

Value WarpCode::reduce(CombiningKind kind, Value value) {
  return reduceThreads(builder_, kind, value, kThreadsOfWarp);
}

Value WarpCode::from(int64_t lane, Value value) {
  Type i32 = builder_.getI32Type();
  return gpu::ShuffleOp::create(
             builder_, value, arith::ConstantIntOp::create(builder_, i32, lane),
             arith::ConstantIntOp::create(builder_, i32, kThreadsOfWarp),
             gpu::ShuffleMode::IDX)
      .getShuffleResult();
}

Value WarpCode::dot(Place a, Place b, int64_t count) {
  const int64_t most =
      kBytesOfAccess / (elementType_.getIntOrFloatBitWidth() / 8);
  const int64_t lanes = count % most == 0 ? most : 1;
  Value zero = builder_.number(VectorType::get(lanes, computeType_), 0);
  Value sum = builder_.loop(
      builder_.index(0), builder_.index(count), lanes, zero,
      [&](Value i, ValueRange carried) -> SmallVector<Value> {
        return {builder_.multiplyAdd(
            loadLanes(builder_, builder_.at(a, i), elementType_, lanes),
            loadLanes(builder_, builder_.at(b, i), elementType_, lanes),
            carried[0])};
      })[0];
  return vector::ReductionOp::create(builder_, CombiningKind::ADD, sum);
}

int64_t WarpCode::sizeOf(int64_t count) {
  return llvm::divideCeil(count, kThreadsOfWarp);
}

WarpCode::Spread WarpCode::addRows(Spread sums, Value factors, Place rows,
                                   Value first, int64_t numRows,
                                   int64_t count) {
  for (int64_t lane = 0; lane < kThreadsOfWarp; ++lane) {
    Value factor = from(lane, factors);
    Value row = builder_.add(first, lane);
    sums = builder_.branch(
        builder_.isLess(row, builder_.index(numRows)),
        [&] {
          Place place = builder_.at(rows, builder_.mul(row, count));
          Spread next;
          forOwn(count, [&](size_t i, Value index) {
            next.push_back(builder_.multiplyAdd(
                factor, loadIfThere(place, index, count), sums[i]));
          });
          return next;
        },
        [&] { return sums; });
  }
  return sums;
}

void WarpCode::store(const Spread& vector, Place place, int64_t count) {
  forOwn(count, [&](size_t i, Value index) {
    builder_.branch(builder_.isLess(index, builder_.index(count)), [&] {
      storeOne(builder_, vector[i], builder_.at(place, index));
    });
  });
}

void WarpCode::forOwn(int64_t count,
                      llvm::function_ref<void(size_t, Value)> body) {
  for (int64_t i = 0; i < sizeOf(count); ++i)
    body(i, builder_.add(lane_, i * kThreadsOfWarp));
}

Value WarpCode::loadIfThere(Place vector, Value index, int64_t count) {
  Place place = builder_.at(vector, index);
  if (count % kThreadsOfWarp == 0) return loadOne(builder_, place);
  return builder_.branch(
      builder_.isLess(index, builder_.index(count)),
      [&]() -> SmallVector<Value> { return {loadOne(builder_, place)}; },
      [&]() -> SmallVector<Value> { return {number(0)}; })[0];
}

}  // namespace sbp::cuda
