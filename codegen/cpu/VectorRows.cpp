#include "codegen/cpu/VectorRows.h"

#include <algorithm>

#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sbp::cpu {

using namespace mlir;
using vector::CombiningKind;

namespace {

Value firstLanes(KernelBuilder& builder, int64_t lanes, int64_t count) {
  SmallVector<bool> mask(lanes, false);
  std::fill_n(mask.begin(), count, true);
  auto type = VectorType::get(lanes, builder.getI1Type());
  return arith::ConstantOp::create(builder, DenseElementsAttr::get(type, mask));
}

}  // namespace

void VectorRows::forEach(KernelBuilder& builder, const Target& target,
                         RowShape shape, Type element,
                         llvm::function_ref<void(Rows&)> body) {
  if (shape.outer == 0 || shape.inner == 0) return;
  // With wider vectors, a formula's temporaries would not fit the registers.
  int64_t lanes = target.lanes(element.getIntOrFloatBitWidth() / 8);
  int64_t widest = lanes * (target.vectorBytes == 64 ? 4 : 2);
  int64_t across = shape.inner == 1 ? shape.length : shape.inner;
  int64_t width = std::clamp<int64_t>(llvm::PowerOf2Ceil(across), 1, widest);
  auto type = VectorType::get(width, element);

  builder.loop(0, shape.outer, 1, [&](Value outer) {
    Value offset = builder.mul(outer, shape.length * shape.inner);
    Value row = builder.mul(outer, shape.inner);
    auto block = [&](Value inner, int64_t numRows) {
      VectorRows rows(builder, shape, type, builder.add(offset, inner),
                      builder.add(row, inner), numRows);
      body(rows);
    };
    if (shape.inner == 1) return block(builder.index(0), 1);
    int64_t whole = shape.inner / width * width;
    builder.loop(0, whole, width, [&](Value inner) { block(inner, width); });
    if (whole != shape.inner) block(builder.index(whole), shape.inner - whole);
  });
}

void VectorRows::forEach(llvm::function_ref<void(At)> body) {
  if (!isOneRow()) {
    builder_.loop(0, shape_.length, 1, [&](Value i) {
      body({builder_.add(firstOffset_, builder_.mul(i, shape_.inner)), i,
            numRows_});
    });
    return;
  }
  int64_t width = vectorType_.getNumElements();
  int64_t whole = shape_.length / width * width;
  builder_.loop(0, whole, width, [&](Value i) {
    body({builder_.add(firstOffset_, i), i, width});
  });
  if (whole != shape_.length) {
    Value i = builder_.index(whole);
    body({builder_.add(firstOffset_, i), i, shape_.length - whole});
  }
}

Value VectorRows::reduce(CombiningKind kind,
                         llvm::function_ref<Value(At)> term) {
  Value neutral = neutralElement(builder_, kind, vectorType_);
  int64_t width = vectorType_.getNumElements();
  int64_t step = isOneRow() ? width : 1;
  int64_t whole = shape_.length / step * step;
  Value total = builder_.loop(
      builder_.index(0), builder_.index(whole), step, neutral,
      [&](Value i, ValueRange carried) -> SmallVector<Value> {
        At at{builder_.add(firstOffset_, builder_.mul(i, shape_.inner)), i,
              isOneRow() ? width : numRows_};
        return {combine(builder_, kind, carried.front(), term(at))};
      })[0];
  if (!isOneRow()) return total;

  if (whole != shape_.length) {
    Value i = builder_.index(whole);
    int64_t count = shape_.length - whole;
    Value last = term({builder_.add(firstOffset_, i), i, count});
    last = arith::SelectOp::create(builder_, firstLanes(builder_, width, count),
                                   last, neutral);
    total = combine(builder_, kind, total, last);
  }
  auto flags = isa<FloatType>(vectorType_.getElementType())
                   ? arith::FastMathFlags::reassoc
                   : arith::FastMathFlags::none;
  Value scalar = vector::ReductionOp::create(builder_, kind, total, flags);
  return builder_.broadcast(scalar, width);
}

Value VectorRows::load(ElementRef tensor, At at) {
  return builder_.loadLanes(builder_.at(tensor, at.offset),
                            vectorType_.getNumElements(), at.count);
}

void VectorRows::store(Value vector, ElementRef tensor, At at) {
  builder_.storeLanes(vector, builder_.at(tensor, at.offset), at.count);
}

Value VectorRows::loadShared(ElementRef tensor, At at) {
  ElementRef place = builder_.at(tensor, at.along);
  int64_t width = vectorType_.getNumElements();
  if (isOneRow()) return builder_.loadLanes(place, width, at.count);
  return builder_.broadcast(builder_.load(place), width);
}

Value VectorRows::loadOnePerRow(ElementRef tensor) {
  ElementRef place = builder_.at(tensor, firstRow_);
  int64_t width = vectorType_.getNumElements();
  if (isOneRow()) return builder_.broadcast(builder_.load(place), width);
  return builder_.loadLanes(place, width, numRows_);
}

void VectorRows::storeOnePerRow(Value vector, ElementRef tensor) {
  ElementRef place = builder_.at(tensor, firstRow_);
  if (isOneRow())
    builder_.store(vector::ExtractOp::create(builder_, vector, 0), place);
  else
    builder_.storeLanes(vector, place, numRows_);
}

}  // namespace sbp::cpu
