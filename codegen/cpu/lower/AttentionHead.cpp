#include "codegen/cpu/lower/AttentionHead.h"

#include <algorithm>
#include <limits>

#include "codegen/cpu/contraction/Blocking.h"
#include "codegen/cpu/contraction/PackPanel.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/StridedTensor.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cpu {

using namespace mlir;

AttentionShape::AttentionShape(Value query, Value value, bool isCausal,
                               double scale)
    : isCausal(isCausal), scale(scale) {
  auto queryType = cast<RankedTensorType>(query.getType());
  auto valueType = cast<RankedTensorType>(value.getType());
  for (int64_t extent : queryType.getShape().drop_back(2)) heads *= extent;
  queries = queryType.getShape().drop_back().back();
  features = queryType.getShape().back();
  keys = valueType.getShape().drop_back().back();
  valueFeatures = valueType.getShape().back();
}

AttentionBlocking::AttentionBlocking(const AttentionShape& shape,
                                     const Target& target,
                                     int64_t elementBytes) {
  // Enough rows to reuse a panel of keys while it is in the level 1 cache, few
  // enough that a causal block computes few scores that no row needs.
  constexpr int64_t kBlockRows = 32;
  blockRows = std::min(kBlockRows, shape.queries);
  scoreTile = chooseTile(blockRows, shape.keys, target, elementBytes);
  paddedKeys = llvm::alignTo(shape.keys, scoreTile.columns());
}

int64_t AttentionHead::vectorWidth() const {
  // Two registers side by side if the tiles allow it.
  int64_t columns = blocking_.scoreTile.columns();
  int64_t lanes = blocking_.scoreTile.lanes;
  return columns % (2 * lanes) == 0 ? 2 * lanes : lanes;
}

Value AttentionHead::always() {
  return arith::ConstantIntOp::create(builder_, 1, 1);
}

void AttentionHead::clearPadding(ElementRef panels, int64_t features) {
  int64_t whole = llvm::alignDown(shape_.keys, blocking_.scoreTile.columns());
  fill(builder_, builder_.at(panels, whole * features),
       (blocking_.paddedKeys - whole) * features,
       builder_.number(elementType_, 0));
}

void AttentionHead::packKeys(ElementRef matrix, int64_t features,
                             ElementRef panels) {
  int64_t width = blocking_.scoreTile.columns();
  StripedMatrix source = StripedMatrix::strided(matrix, features, 1);
  StripedMatrix packed = StripedMatrix::packed(panels, width, features);
  IterationRange all{builder_.index(0), builder_.index(shape_.keys)};
  forStrips(builder_, shape_.keys, all, width, [&](Value key, int64_t count) {
    packPanel(builder_, source.strip(builder_, key), count,
              builder_.index(features), packed.strip(builder_, key).first,
              width, blocking_.scoreTile.lanes);
  });
}

Value AttentionHead::numKeysAttendedBy(Value endOfRows) {
  if (!shape_.isCausal) return builder_.index(shape_.keys);
  // Row t attends to the keys up to t + keys - queries.
  Value seen = builder_.add(endOfRows, shape_.keys - shape_.queries);
  return builder_.max(builder_.index(0),
                      builder_.min(seen, builder_.index(shape_.keys)));
}

void AttentionHead::forBlocks(
    llvm::function_ref<void(const QueryBlock&)> body) {
  int64_t width = blocking_.scoreTile.columns();
  auto emit = [&](Value begin, int64_t rows) {
    QueryBlock block;
    block.begin = begin;
    block.rows = rows;
    block.numAttendedKeys = numKeysAttendedBy(builder_.add(begin, rows));
    Value tiles =
        builder_.div(builder_.add(block.numAttendedKeys, width - 1), width);
    block.columns = {builder_.index(0), builder_.mul(tiles, width)};
    body(block);
  };
  int64_t step = blocking_.blockRows;
  if (step == 0) return;
  int64_t whole = llvm::alignDown(shape_.queries, step);
  builder_.loop(0, whole, step, [&](Value begin) { emit(begin, step); });
  if (whole != shape_.queries)
    emit(builder_.index(whole), shape_.queries - whole);
}

void AttentionHead::multiplyByKeys(const QueryBlock& block, ElementRef rows,
                                   int64_t features, ElementRef panels,
                                   ElementRef strip) {
  BlockProductArgs product;
  product.tile = blocking_.scoreTile;
  product.matrixRows = block.rows;
  product.rows = {builder_.index(0), builder_.index(block.rows)};
  product.matrixColumns = blocking_.paddedKeys;
  product.columns = block.columns;
  product.depth = builder_.index(features);
  product.a = StripedMatrix::strided(rows, features, 1);
  product.b =
      StripedMatrix::packed(panels, blocking_.scoreTile.columns(), features);
  product.isPaddedToVector = true;
  product.c = strip;
  product.rowStride = blocking_.paddedKeys;
  buildBlockProduct(builder_, product, always());
}

void AttentionHead::multiplyStrip(const QueryBlock& block, ElementRef strip,
                                  ElementRef matrix, int64_t features,
                                  ElementRef result) {
  if (features == 0) return;
  BlockProductArgs product;
  product.tile = chooseTile(block.rows, features, target_,
                            elementType_.getIntOrFloatBitWidth() / 8);
  product.matrixRows = block.rows;
  product.rows = {builder_.index(0), builder_.index(block.rows)};
  product.matrixColumns = features;
  product.columns = {builder_.index(0), builder_.index(features)};
  product.depth = block.numAttendedKeys;
  product.a = StripedMatrix::strided(strip, blocking_.paddedKeys, 1);
  product.b = StripedMatrix::strided(matrix, 1, features);
  product.c = result;
  product.rowStride = features;
  buildBlockProduct(builder_, product, always());
}

void AttentionHead::addTransposedProduct(const QueryBlock& block,
                                         ElementRef strip, ElementRef rows,
                                         int64_t features, ElementRef result) {
  if (features == 0) return;
  BlockProductArgs product;
  product.tile = chooseTile(shape_.keys, features, target_,
                            elementType_.getIntOrFloatBitWidth() / 8);
  product.matrixRows = shape_.keys;
  // Keys that no row attends to have weight 0, so whole tiles of them may be
  // added.
  product.rows = {builder_.index(0), builder_.min(block.columns.extent,
                                                  builder_.index(shape_.keys))};
  product.matrixColumns = features;
  product.columns = {builder_.index(0), builder_.index(features)};
  product.depth = builder_.index(block.rows);
  product.a = StripedMatrix::strided(strip, 1, blocking_.paddedKeys);
  product.b = StripedMatrix::strided(rows, 1, features);
  product.c = result;
  product.rowStride = features;
  buildBlockProduct(builder_, product,
                    arith::ConstantIntOp::create(builder_, 0, 1));
}

void AttentionHead::forVectors(const QueryBlock& block, ElementRef row,
                               llvm::function_ref<void(ElementRef)> body) {
  builder_.loop(builder_.index(0), block.columns.extent, vectorWidth(),
                [&](Value column) { body(builder_.at(row, column)); });
}

Value AttentionHead::sumVectors(const QueryBlock& block, ElementRef row,
                                llvm::function_ref<Value(ElementRef)> term) {
  Arithmetic x(builder_);
  auto type = VectorType::get(vectorWidth(), elementType_);
  Value zero = builder_.number(type, 0);
  Value sum = builder_.loop(
      builder_.index(0), block.columns.extent, vectorWidth(), zero,
      [&](Value column, ValueRange carried) -> SmallVector<Value> {
        return {x.add(carried.front(), term(builder_.at(row, column)))};
      })[0];
  return vector::ReductionOp::create(builder_, vector::CombiningKind::ADD, sum,
                                     arith::FastMathFlags::reassoc);
}

void AttentionHead::exponentiate(
    const QueryBlock& block, ElementRef strip,
    llvm::function_ref<void(Value, ElementRef, Value)> visit) {
  Arithmetic x(builder_);
  int64_t width = vectorWidth();
  auto type = VectorType::get(width, elementType_);
  auto indexType = VectorType::get(width, builder_.getI32Type());
  Value scale = builder_.number(type, shape_.scale);
  Value zero = builder_.number(type, 0);
  Value lowest =
      builder_.number(type, -std::numeric_limits<double>::infinity());
  SmallVector<int32_t> laneNumbers(width);
  for (int64_t lane = 0; lane < width; ++lane) laneNumbers[lane] = lane;
  Value lanes = arith::ConstantOp::create(
      builder_, DenseElementsAttr::get(indexType, ArrayRef(laneNumbers)));
  auto toVector = [&](Value index) {
    Value narrow =
        arith::IndexCastOp::create(builder_, builder_.getI32Type(), index);
    return builder_.broadcast(narrow, width);
  };

  builder_.loop(0, block.rows, 1, [&](Value row) {
    ElementRef first =
        builder_.at(strip, builder_.mul(row, blocking_.paddedKeys));
    Value numAttendedKeys = toVector(
        numKeysAttendedBy(builder_.add(builder_.add(block.begin, row), 1)));
    auto isSeen = [&](Value column) -> Value {
      Value columns = arith::AddIOp::create(builder_, lanes, toVector(column));
      return arith::CmpIOp::create(builder_, arith::CmpIPredicate::slt, columns,
                                   numAttendedKeys);
    };
    auto overRow = [&](Value initial, auto combine) {
      return builder_.loop(
          builder_.index(0), block.columns.extent, width, initial,
          [&](Value column, ValueRange carried) -> SmallVector<Value> {
            return {combine(carried.front(), column)};
          })[0];
    };
    auto score = [&](Value column) {
      return x.mul(builder_.loadVector(builder_.at(first, column), width),
                   scale);
    };

    Value highest = overRow(lowest, [&](Value soFar, Value column) -> Value {
      Value seen = x.select(isSeen(column), score(column), lowest);
      return arith::MaxNumFOp::create(builder_, soFar, seen);
    });
    highest = builder_.broadcast(
        vector::ReductionOp::create(builder_, vector::CombiningKind::MAXNUMF,
                                    highest),
        width);
    Value sum = overRow(zero, [&](Value soFar, Value column) -> Value {
      Value exp =
          x.select(isSeen(column), x.exp(x.sub(score(column), highest)), zero);
      builder_.storeVector(exp, builder_.at(first, column));
      return x.add(soFar, exp);
    });
    sum = vector::ReductionOp::create(builder_, vector::CombiningKind::ADD, sum,
                                      arith::FastMathFlags::reassoc);
    Value isEmpty = x.compare(nn::Predicate::Equal, sum, x.like(sum, 0));
    Value factor =
        x.select(isEmpty, x.like(sum, 0), x.div(x.like(sum, 1), sum));
    visit(row, first, factor);
  });
}

}  // namespace sbp::cpu
