#include "codegen/cuda/ThreadRows.h"

#include "codegen/cuda/ReduceThreads.h"
#include "codegen/cuda/VectorAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cuda {

using namespace mlir;
using vector::CombiningKind;

Rows::At ThreadRows::at(Value along) {
  return {builder_.add(firstOffset_, builder_.mul(along, shape_.inner)), along,
          lanes()};
}

Value ThreadRows::begin() {
  return isOneRow() ? builder_.mul(thread_, lanes()) : builder_.index(0);
}

int64_t ThreadRows::step() const { return isOneRow() ? threads_ * lanes() : 1; }

void ThreadRows::forEach(llvm::function_ref<void(At)> body) {
  builder_.loop(begin(), builder_.index(shape_.length), step(),
                [&](Value i) { body(at(i)); });
}

Value ThreadRows::reduce(CombiningKind kind,
                         llvm::function_ref<Value(At)> term) {
  Value neutral = neutralElement(builder_, kind, vectorType_);
  Value total = builder_.loop(
      begin(), builder_.index(shape_.length), step(), neutral,
      [&](Value i, ValueRange carried) -> SmallVector<Value> {
        return {combine(builder_, kind, carried.front(), term(at(i)))};
      })[0];
  if (!isOneRow()) return total;
  Value scalar = vector::ReductionOp::create(builder_, kind, total);
  scalar = reduceThreads(builder_, kind, scalar, threads_);
  return builder_.broadcast(scalar, lanes());
}

Value ThreadRows::load(ElementRef tensor, At at) {
  return loadLanes(builder_, builder_.at(tensor, at.offset),
                   tensor.elementType(), lanes());
}

void ThreadRows::store(Value vector, ElementRef tensor, At at) {
  storeLanes(builder_, vector, builder_.at(tensor, at.offset));
}

Value ThreadRows::loadShared(ElementRef tensor, At at) {
  ElementRef ref = builder_.at(tensor, at.along);
  if (isOneRow())
    return loadLanes(builder_, ref, tensor.elementType(), lanes());
  return builder_.broadcast(loadOne(builder_, ref), lanes());
}

Value ThreadRows::loadOnePerRow(ElementRef tensor) {
  ElementRef ref = builder_.at(tensor, firstRow_);
  if (!isOneRow())
    return loadLanes(builder_, ref, tensor.elementType(), lanes());
  return builder_.broadcast(loadOne(builder_, ref), lanes());
}

void ThreadRows::storeOnePerRow(Value vector, ElementRef tensor) {
  ElementRef ref = builder_.at(tensor, firstRow_);
  if (!isOneRow()) return storeLanes(builder_, vector, ref);
  builder_.branch(builder_.isEqual(thread_, builder_.index(0)), [&] {
    storeOne(builder_, vector::ExtractOp::create(builder_, vector, 0), ref);
  });
}

}  // namespace sbp::cuda
