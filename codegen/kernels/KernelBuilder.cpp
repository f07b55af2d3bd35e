#include "codegen/kernels/KernelBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp {

using namespace mlir;

namespace {

/// Flag of all index arithmetic: it never wraps, which lets LLVM reason about
/// addresses.
constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

bool isConstant(Value value, int64_t constant) {
  return getConstantIntValue(value) == constant;
}

/// Returns a constant mask that selects the first `count` of `lanes` lanes.
Value lanesMask(KernelBuilder& builder, int64_t lanes, int64_t count) {
  SmallVector<bool> mask(lanes, false);
  std::fill_n(mask.begin(), count, true);
  auto type = VectorType::get(lanes, builder.getI1Type());
  return arith::ConstantOp::create(builder, DenseElementsAttr::get(type, mask));
}

}  // namespace

Type ElementRef::elementType() const {
  return cast<MemRefType>(buffer.getType()).getElementType();
}

// ---- Indices ----

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(*this, value);
}

Value KernelBuilder::add(Value left, Value right) {
  if (isConstant(left, 0)) return right;
  if (isConstant(right, 0)) return left;
  return createOrFold<arith::AddIOp>(left, right, kNoWrap);
}

Value KernelBuilder::add(Value left, int64_t right) {
  return right == 0 ? left : add(left, index(right));
}

Value KernelBuilder::sub(Value left, Value right) {
  return createOrFold<arith::SubIOp>(left, right, kNoWrap);
}

Value KernelBuilder::mul(Value left, int64_t right) {
  if (right == 1) return left;
  return createOrFold<arith::MulIOp>(left, index(right), kNoWrap);
}

Value KernelBuilder::min(Value left, Value right) {
  return createOrFold<arith::MinSIOp>(left, right);
}

Value KernelBuilder::max(Value left, Value right) {
  return createOrFold<arith::MaxSIOp>(left, right);
}

Value KernelBuilder::div(Value left, int64_t right) {
  return createOrFold<arith::DivUIOp>(left, index(right));
}

Value KernelBuilder::rem(Value left, int64_t right) {
  return createOrFold<arith::RemUIOp>(left, index(right));
}

Value KernelBuilder::isLess(Value left, Value right) {
  return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, left, right);
}

Value KernelBuilder::isEqual(Value left, Value right) {
  return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, left, right);
}

// ---- Control ----

void KernelBuilder::loop(Value begin, Value end, int64_t step, Body body) {
  loop(begin, end, step, ValueRange(), [&](Value i, ValueRange) {
    body(i);
    return SmallVector<Value>();
  });
}

void KernelBuilder::loop(int64_t begin, int64_t end, int64_t step, Body body) {
  loop(index(begin), index(end), step, body);
}

SmallVector<Value> KernelBuilder::loop(Value begin, Value end, int64_t step,
                                       ValueRange initial, CarryingBody body) {
  std::optional<int64_t> first = getConstantIntValue(begin);
  std::optional<int64_t> last = getConstantIntValue(end);
  if (first && last && *first >= *last) return llvm::to_vector(initial);
  if (first && last && *first + step >= *last) return body(begin, initial);

  auto forOp = scf::ForOp::create(
      *this, begin, end, index(step), initial,
      [&](OpBuilder& nested, Location, Value i, ValueRange carried) {
        InsertionGuard guard(*this);
        setInsertionPoint(nested.getInsertionBlock(),
                          nested.getInsertionPoint());
        scf::YieldOp::create(*this, body(i, carried));
      });
  return llvm::to_vector_of<Value>(forOp.getResults());
}

void KernelBuilder::loops(ArrayRef<int64_t> extents,
                          llvm::function_ref<void(ValueRange)> body) {
  SmallVector<Value> indices;
  auto nest = [&](auto& self, size_t depth) -> void {
    if (depth == extents.size()) return body(indices);
    loop(0, extents[depth], 1, [&](Value i) {
      indices.push_back(i);
      self(self, depth + 1);
      indices.pop_back();
    });
  };
  nest(nest, 0);
}

void KernelBuilder::branch(Value condition, llvm::function_ref<void()> then) {
  if (std::optional<int64_t> known = getConstantIntValue(condition)) {
    if (*known) then();
    return;
  }
  auto ifOp = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  InsertionGuard guard(*this);
  setInsertionPointToStart(ifOp.thenBlock());
  then();
}

SmallVector<Value> KernelBuilder::branch(
    Value condition, llvm::function_ref<SmallVector<Value>()> then,
    llvm::function_ref<SmallVector<Value>()> otherwise) {
  if (std::optional<int64_t> known = getConstantIntValue(condition))
    return *known ? then() : otherwise();
  auto side = [&](llvm::function_ref<SmallVector<Value>()> values) {
    return [&, values](OpBuilder& nested, Location) {
      InsertionGuard guard(*this);
      setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
      scf::YieldOp::create(*this, values());
    };
  };
  auto ifOp = scf::IfOp::create(*this, condition, side(then), side(otherwise));
  return llvm::to_vector_of<Value>(ifOp.getResults());
}

// ---- Memory ----

ElementRef KernelBuilder::at(ElementRef ref, Value elements) {
  return {ref.buffer, add(ref.offset, elements)};
}

ElementRef KernelBuilder::at(ElementRef ref, int64_t elements) {
  return {ref.buffer, add(ref.offset, elements)};
}

ElementRef KernelBuilder::view(ElementRef bytes, int64_t offset, Type element,
                               int64_t numElements) {
  Value buffer = memref::ViewOp::create(
      *this, MemRefType::get(numElements, element), bytes.buffer,
      add(bytes.offset, offset), ValueRange());
  return {buffer, index(0)};
}

Value KernelBuilder::load(ElementRef ref) {
  return memref::LoadOp::create(*this, ref.buffer, ref.offset);
}

void KernelBuilder::store(Value value, ElementRef ref) {
  memref::StoreOp::create(*this, value, ref.buffer, ref.offset);
}

Value KernelBuilder::loadVector(ElementRef ref, int64_t lanes) {
  auto type = VectorType::get(lanes, ref.elementType());
  return vector::LoadOp::create(*this, type, ref.buffer, ref.offset);
}

void KernelBuilder::storeVector(Value vector, ElementRef ref) {
  vector::StoreOp::create(*this, vector, ref.buffer, ref.offset);
}

Value KernelBuilder::loadLanes(ElementRef ref, int64_t lanes, int64_t count) {
  if (count == lanes) return loadVector(ref, lanes);
  auto type = VectorType::get(lanes, ref.elementType());
  Value zeros = arith::ConstantOp::create(*this, getZeroAttr(type));
  return vector::MaskedLoadOp::create(*this, type, ref.buffer, ref.offset,
                                      lanesMask(*this, lanes, count), zeros);
}

void KernelBuilder::storeLanes(Value vector, ElementRef ref, int64_t count) {
  int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  if (count == lanes) return storeVector(vector, ref);
  vector::MaskedStoreOp::create(*this, ref.buffer, ref.offset,
                                lanesMask(*this, lanes, count), vector);
}

void KernelBuilder::prefetchForWrite(ElementRef ref) {
  constexpr uint32_t kKeepInAllCaches = 3;
  memref::PrefetchOp::create(*this, ref.buffer, ref.offset,
                             /*isWrite=*/true, kKeepInAllCaches,
                             /*isDataCache=*/true);
}

// ---- Numbers ----

Value KernelBuilder::number(Type type, double value) {
  auto element = FloatAttr::get(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    return arith::ConstantOp::create(*this,
                                     DenseElementsAttr::get(shaped, element));
  return arith::ConstantOp::create(*this, element);
}

Value KernelBuilder::broadcast(Value scalar, int64_t lanes) {
  return vector::BroadcastOp::create(
      *this, VectorType::get(lanes, scalar.getType()), scalar);
}

Value KernelBuilder::multiplyAdd(Value a, Value b, Value c) {
  // These are two operations that LLVM may contract. `math.fma` would become a
  // call of libm on a CPU without the instruction.
  constexpr auto kContract = arith::FastMathFlags::contract;
  Value product = arith::MulFOp::create(*this, a, b, kContract);
  return arith::AddFOp::create(*this, product, c, kContract);
}

}  // namespace sbp
