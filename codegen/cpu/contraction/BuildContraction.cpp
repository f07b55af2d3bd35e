#include "codegen/cpu/contraction/BuildContraction.h"

#include <algorithm>
#include <utility>

#include "codegen/cpu/contraction/DotProducts.h"
#include "codegen/cpu/contraction/Operands.h"
#include "codegen/cpu/contraction/TiledContraction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

/// Emits every loop without blocking; the result is written in memory order.
void buildPlain(KernelBuilder& builder, const Contraction& contraction,
                Operands operands, Value isFirst) {
  SmallVector<ContractionLoop> parallel = contraction.parallelLoops();
  std::sort(parallel.begin(), parallel.end(),
            [](auto& x, auto& y) { return x.c > y.c; });
  SmallVector<ContractionLoop> summed = contraction.summedLoops();

  builder.loops(extentsOf(parallel), [&](ValueRange at) {
    Operands element = advance(builder, operands, parallel, at);
    auto sum = [&](auto& self, size_t depth, Operands term,
                   Value soFar) -> Value {
      if (depth == summed.size())
        return builder.multiplyAdd(builder.load(term.a), builder.load(term.b),
                                   soFar);
      return builder
          .loop(builder.index(0), builder.index(summed[depth].extent), 1, soFar,
                [&](Value i, ValueRange carried) -> SmallVector<Value> {
                  return {self(self, depth + 1,
                               advance(builder, term, summed[depth], i),
                               carried.front())};
                })
          .front();
    };
    Value before = builder.branch(
        isFirst,
        [&]() -> SmallVector<Value> {
          return {builder.number(element.c.elementType(), 0)};
        },
        [&]() -> SmallVector<Value> { return {builder.load(element.c)}; })[0];
    builder.store(sum(sum, 0, element, before), element.c);
  });
}

/// Returns an i1: whether `isFirst` holds, and all indices of `term` are zero.
Value firstOf(KernelBuilder& builder, Value isFirst, ValueRange term) {
  return builder.createOrFold<arith::AndIOp>(isFirst, allZero(builder, term));
}

/// Emits dot products inside all other loops.
void buildDots(KernelBuilder& builder, const Contraction& contraction,
               int64_t lanes, Operands operands, Value isFirst) {
  SmallVector<ContractionLoop> parallel = contraction.outer;
  parallel.append(contraction.outerRows);
  SmallVector<ContractionLoop> summed = contraction.outerSummed;
  summed.push_back(contraction.segments);
  builder.loops(extentsOf(parallel), [&](ValueRange element) {
    Operands result = advance(builder, operands, parallel, element);
    builder.loops(extentsOf(summed), [&](ValueRange term) {
      buildDotProducts(builder, contraction, lanes,
                       advance(builder, result, summed, term),
                       firstOf(builder, isFirst, term));
    });
  });
}

void buildTiles(KernelBuilder& builder, const Contraction& contraction,
                const Blocking& blocking, Operands operands, ElementRef scratch,
                Value isFirst) {
  builder.loops(extentsOf(contraction.outer), [&](ValueRange outer) {
    Operands result = advance(builder, operands, contraction.outer, outer);
    builder.loops(extentsOf(contraction.outerSummed), [&](ValueRange term) {
      buildTiledContraction(
          builder, contraction, blocking,
          advance(builder, result, contraction.outerSummed, term), scratch,
          firstOf(builder, isFirst, term));
    });
  });
}

}  // namespace

void buildContraction(KernelBuilder& builder, const Contraction& contraction,
                      const Blocking& blocking, ElementRef left,
                      ElementRef right, ElementRef result, ElementRef scratch,
                      Value isFirst) {
  if (!isFirst) isFirst = arith::ConstantIntOp::create(builder, 1, 1);
  Operands operands{left, right, result};
  if (contraction.isSwapped) std::swap(operands.a, operands.b);
  switch (blocking.form) {
    case Blocking::Form::kPlain:
      return buildPlain(builder, contraction, operands, isFirst);
    case Blocking::Form::kDot:
      return buildDots(builder, contraction, blocking.tile.lanes, operands,
                       isFirst);
    case Blocking::Form::kTiled:
      return buildTiles(builder, contraction, blocking, operands, scratch,
                        isFirst);
  }
}

}  // namespace sbp::cpu
