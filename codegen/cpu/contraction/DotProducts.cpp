#include "codegen/cpu/contraction/DotProducts.h"

#include "codegen/cpu/contraction/PackPanel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

/// Emits `rows` results, each the dot product of a row of `many` with `one`.
void buildDots(KernelBuilder& builder, int64_t rows, Strip many, ElementRef one,
               int64_t depth, int64_t lanes, ElementRef c, int64_t stride,
               Value isFirst) {
  auto type = VectorType::get(lanes, c.elementType());
  SmallVector<Value> sums(rows, builder.number(type, 0));
  auto step = [&](Value k, ValueRange old, int64_t count) {
    Value right = builder.loadLanes(builder.at(one, k), lanes, count);
    SmallVector<Value> next;
    for (int64_t r = 0; r < rows; ++r) {
      ElementRef row =
          builder.at(builder.at(many.first, k), r * many.lineStride);
      next.push_back(builder.multiplyAdd(builder.loadLanes(row, lanes, count),
                                         right, old[r]));
    }
    return next;
  };
  int64_t wholeDepth = depth / lanes * lanes;
  sums = builder.loop(
      builder.index(0), builder.index(wholeDepth), lanes, sums,
      [&](Value k, ValueRange old) { return step(k, old, lanes); });
  if (depth != wholeDepth)
    sums = step(builder.index(wholeDepth), sums, depth - wholeDepth);

  for (int64_t r = 0; r < rows; ++r) {
    Value sum =
        vector::ReductionOp::create(builder, vector::CombiningKind::ADD,
                                    sums[r], arith::FastMathFlags::reassoc);
    ElementRef place = builder.at(c, r * stride);
    Value before = builder.branch(
        isFirst,
        [&] { return SmallVector<Value>{builder.number(c.elementType(), 0)}; },
        [&] { return SmallVector<Value>{builder.load(place)}; })[0];
    builder.store(arith::AddFOp::create(builder, before, sum), place);
  }
}

}  // namespace

void buildDotProducts(KernelBuilder& builder, const Contraction& contraction,
                      int64_t lanes, Operands operands, Value isFirst) {
  // One of m and n has a single iteration. Along the other, several dot
  // products at a time hide each other's latency and share the loads of the
  // vector.
  constexpr int64_t kAtOnce = 8;
  bool isAlongM = contraction.n.extent == 1;
  const ContractionLoop& lines = isAlongM ? contraction.m : contraction.n;
  auto group = [&](Value first, int64_t rows) {
    Operands at = advance(builder, operands, lines, first);
    Strip many = isAlongM ? Strip{at.a, lines.a, 1} : Strip{at.b, lines.b, 1};
    buildDots(builder, rows, many, isAlongM ? at.b : at.a, contraction.k.extent,
              lanes, at.c, lines.c, isFirst);
  };
  int64_t whole = lines.extent / kAtOnce * kAtOnce;
  builder.loop(0, whole, kAtOnce, [&](Value first) { group(first, kAtOnce); });
  if (whole != lines.extent) group(builder.index(whole), lines.extent - whole);
}

}  // namespace sbp::cpu
