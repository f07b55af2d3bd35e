#include "codegen/cpu/contraction/BuildContraction.h"

#include <algorithm>
#include <utility>

#include "codegen/cpu/contraction/BlockProduct.h"
#include "codegen/cpu/contraction/PackPanel.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

/// Where the three matrices begin.
struct Operands {
  Place a, b, c;
};

SmallVector<int64_t> extentsOf(ArrayRef<ContractionLoop> loops) {
  SmallVector<int64_t> extents;
  for (const ContractionLoop& loop : loops) extents.push_back(loop.extent);
  return extents;
}

/// The operands after `indices` steps of `loops`.
Operands advance(KernelBuilder& builder, Operands operands,
                 ArrayRef<ContractionLoop> loops, ValueRange indices) {
  for (auto [loop, index] : llvm::zip_equal(loops, indices)) {
    if (loop.a) operands.a = builder.at(operands.a, builder.mul(index, loop.a));
    if (loop.b) operands.b = builder.at(operands.b, builder.mul(index, loop.b));
    if (loop.c) operands.c = builder.at(operands.c, builder.mul(index, loop.c));
  }
  return operands;
}

Value allZero(KernelBuilder& builder, ValueRange indices) {
  Value result = arith::ConstantIntOp::create(builder, 1, 1);
  for (Value index : indices)
    result = builder.createOrFold<arith::AndIOp>(
        result, builder.isEqual(index, builder.index(0)));
  return result;
}

// ---- Plain loops ----

void buildPlain(KernelBuilder& builder, const Contraction& contraction,
                Operands operands) {
  SmallVector<ContractionLoop> parallel = contraction.parallelLoops();
  // The result is written in the order in which it lies in memory.
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
    Value zero = builder.number(element.c.elementType(), 0);
    builder.store(sum(sum, 0, element, zero), element.c);
  });
}

// ---- Dot products ----

/// `rows` results of which each is a dot product of a row of `many` with `one`.
void buildDots(KernelBuilder& builder, int64_t rows, Strip many, Place one,
               int64_t depth, int64_t lanes, Place c, int64_t stride,
               Value isFirst) {
  auto type = VectorType::get(lanes, c.elementType());
  SmallVector<Value> sums(rows, builder.number(type, 0));
  auto step = [&](Value k, ValueRange old, int64_t count) {
    Value right = builder.loadLanes(builder.at(one, k), lanes, count);
    SmallVector<Value> next;
    for (int64_t r = 0; r < rows; ++r) {
      Place row = builder.at(builder.at(many.first, k), r * many.lineStride);
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
    Place place = builder.at(c, r * stride);
    Value before = builder.branch(
        isFirst,
        [&] { return SmallVector<Value>{builder.number(c.elementType(), 0)}; },
        [&] { return SmallVector<Value>{builder.load(place)}; })[0];
    builder.store(arith::AddFOp::create(builder, before, sum), place);
  }
}

void buildDotProducts(KernelBuilder& builder, const Contraction& contraction,
                      const Blocking& blocking, Operands operands,
                      Value isFirst) {
  // One of m and n is a single iteration; along the other, several dot products
  // at a time hide each other's latency and share the loads of the vector.
  constexpr int64_t kAtOnce = 8;
  bool isAlongM = contraction.n.extent == 1;
  const ContractionLoop& lines = isAlongM ? contraction.m : contraction.n;
  auto group = [&](Value first, int64_t rows) {
    Operands at = advance(builder, operands, lines, first);
    Strip many = isAlongM ? Strip{at.a, lines.a, 1} : Strip{at.b, lines.b, 1};
    buildDots(builder, rows, many, isAlongM ? at.b : at.a, contraction.k.extent,
              blocking.tile.lanes, at.c, lines.c, isFirst);
  };
  int64_t whole = lines.extent / kAtOnce * kAtOnce;
  builder.loop(0, whole, kAtOnce, [&](Value first) { group(first, kAtOnce); });
  if (whole != lines.extent) group(builder.index(whole), lines.extent - whole);
}

// ---- Register tiles ----

void forBlocks(KernelBuilder& builder, int64_t extent, int64_t block,
               llvm::function_ref<void(Block)> body) {
  builder.loop(0, extent, block, [&](Value begin) {
    Value size = builder.index(std::min(extent, block));
    if (extent > block && extent % block != 0)
      size = builder.min(size, builder.sub(builder.index(extent), begin));
    body({begin, size});
  });
}

/// The innermost three block loops, for one position of the outer loops.
class TiledContraction {
 public:
  TiledContraction(KernelBuilder& builder, const Contraction& contraction,
                   const Blocking& blocking, Operands operands, Place scratch)
      : builder_(builder),
        m_(contraction.m),
        n_(contraction.n),
        k_(contraction.k),
        blocking_(blocking),
        operands_(operands),
        packedA_(scratch) {
    // A contraction that needs no scratch memory may have none.
    if (!blocking.scratchElements()) return;
    packedB_ = builder.at(packedA_, blocking.packedAElements());
    staging_ = builder.at(packedB_, blocking.packedBElements());
  }

  /// `isFirst`: C is written by the first block of k, not added to.
  void build(Value isFirst) {
    forBlocks(builder_, n_.extent, blocking_.nBlock, [&](Block n) {
      forBlocks(builder_, k_.extent, blocking_.kBlock, [&](Block k) {
        Value isFirstBlock = builder_.createOrFold<arith::AndIOp>(
            isFirst, builder_.isEqual(k.begin, builder_.index(0)));
        if (blocking_.packsB)
          pack(n_.extent, n, k, stripedB(n, k), blocking_.tile.columns(),
               packedB_);
        forBlocks(builder_, m_.extent, blocking_.mBlock, [&](Block m) {
          if (blocking_.packsA)
            pack(m_.extent, m, k, stripedA(m, k), blocking_.tile.rows,
                 packedA_);
          multiply(m, n, k, isFirstBlock);
        });
      });
    });
  }

 private:
  StripedMatrix stripedA(Block m, Block k) {
    Place first = builder_.at(operands_.a, builder_.mul(k.begin, k_.a));
    return StripedMatrix::strided(
        builder_.at(first, builder_.mul(m.begin, m_.a)), m_.a, k_.a);
  }

  StripedMatrix stripedB(Block n, Block k) {
    Place first = builder_.at(operands_.b, builder_.mul(k.begin, k_.b));
    return StripedMatrix::strided(
        builder_.at(first, builder_.mul(n.begin, n_.b)), n_.b, k_.b);
  }

  /// Copies a block of a matrix into panels of `width` lines.
  void pack(int64_t extent, Block lines, Block k, StripedMatrix source,
            int64_t width, Place packed) {
    StripedMatrix panels =
        StripedMatrix::packed(packed, width, blocking_.kBlock);
    forStrips(builder_, extent, lines, width, [&](Value line, int64_t count) {
      packPanel(builder_, source.strip(builder_, line), count, k.extent,
                panels.strip(builder_, line).first, width,
                blocking_.tile.lanes);
    });
  }

  void multiply(Block m, Block n, Block k, Value isFirst) {
    BlockProduct product;
    product.tile = blocking_.tile;
    product.rowExtent = m_.extent;
    product.columnExtent = n_.extent;
    product.rows = m;
    product.columns = n;
    product.depth = k.extent;
    product.a = blocking_.packsA
                    ? StripedMatrix::packed(packedA_, blocking_.tile.rows,
                                            blocking_.kBlock)
                    : stripedA(m, k);
    product.b = blocking_.packsB
                    ? StripedMatrix::packed(packedB_, blocking_.tile.columns(),
                                            blocking_.kBlock)
                    : stripedB(n, k);
    product.canReadBeyond = blocking_.packsB;
    product.c =
        builder_.at(builder_.at(operands_.c, builder_.mul(m.begin, m_.c)),
                    builder_.mul(n.begin, n_.c));
    product.rowStride = m_.c;
    product.columnStride = n_.c;
    product.staging = staging_;
    buildBlockProduct(builder_, product, isFirst);
  }

  KernelBuilder& builder_;
  ContractionLoop m_, n_, k_;
  Blocking blocking_;
  Operands operands_;
  Place packedA_, packedB_, staging_;
};

}  // namespace

void buildContraction(KernelBuilder& builder, const Contraction& contraction,
                      const Blocking& blocking, Place left, Place right,
                      Place result, Place scratch) {
  Operands operands{left, right, result};
  if (contraction.isSwapped) std::swap(operands.a, operands.b);
  if (blocking.form == Blocking::Form::kPlain)
    return buildPlain(builder, contraction, operands);

  builder.loops(extentsOf(contraction.outer), [&](ValueRange outer) {
    Operands parallel = advance(builder, operands, contraction.outer, outer);
    builder.loops(extentsOf(contraction.outerSummed), [&](ValueRange summed) {
      Operands term =
          advance(builder, parallel, contraction.outerSummed, summed);
      Value isFirst = allZero(builder, summed);
      if (blocking.form == Blocking::Form::kDot)
        buildDotProducts(builder, contraction, blocking, term, isFirst);
      else
        TiledContraction(builder, contraction, blocking, term, scratch)
            .build(isFirst);
    });
  });
}

}  // namespace sbp::cpu
