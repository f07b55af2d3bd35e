#include "codegen/cpu/contraction/BuildContraction.h"

#include <algorithm>
#include <utility>

#include "codegen/cpu/contraction/PackPanel.h"
#include "codegen/cpu/contraction/RegisterTile.h"
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
              blocking.lanes, at.c, lines.c, isFirst);
  };
  int64_t whole = lines.extent / kAtOnce * kAtOnce;
  builder.loop(0, whole, kAtOnce, [&](Value first) { group(first, kAtOnce); });
  if (whole != lines.extent) group(builder.index(whole), lines.extent - whole);
}

// ---- Register tiles ----

/// One block of a loop that is cut into blocks: where it begins, how long it
/// is.
struct Block {
  Value begin;
  Value extent;
};

void forBlocks(KernelBuilder& builder, int64_t extent, int64_t block,
               llvm::function_ref<void(Block)> body) {
  builder.loop(0, extent, block, [&](Value begin) {
    Value size = builder.index(std::min(extent, block));
    if (extent > block && extent % block != 0)
      size = builder.min(size, builder.sub(builder.index(extent), begin));
    body({begin, size});
  });
}

/// Runs through `block` of a loop of `extent` in steps of `width`: `body` gets
/// where a strip begins within the block and how many lines it has, fewer than
/// `width` only at the end of the whole loop.
void forStrips(KernelBuilder& builder, int64_t extent, Block block,
               int64_t width, llvm::function_ref<void(Value, int64_t)> body) {
  int64_t rest = extent % width;
  Value whole = block.extent;
  if (rest) whole = builder.mul(builder.div(whole, width), width);
  builder.loop(builder.index(0), whole, width,
               [&](Value begin) { body(begin, width); });
  if (!rest) return;
  Value end = builder.add(block.begin, block.extent);
  builder.branch(builder.isEqual(end, builder.index(extent)),
                 [&] { body(whole, rest); });
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
        if (blocking_.packsB) packB(n, k);
        forBlocks(builder_, m_.extent, blocking_.mBlock, [&](Block m) {
          if (blocking_.packsA) packA(m, k);
          multiply(m, n, k, isFirstBlock);
        });
      });
    });
  }

 private:
  Strip stripOfA(Value row, Value k) {
    Place first = builder_.at(builder_.at(operands_.a, builder_.mul(k, k_.a)),
                              builder_.mul(row, m_.a));
    return {first, m_.a, k_.a};
  }

  Strip stripOfB(Value column, Value k) {
    Place first = builder_.at(builder_.at(operands_.b, builder_.mul(k, k_.b)),
                              builder_.mul(column, n_.b));
    return {first, n_.b, k_.b};
  }

  // The panel that begins at line i of a block lies i * kBlock into its buffer.
  Place panelOf(Place packed, Value line) {
    return builder_.at(packed, builder_.mul(line, blocking_.kBlock));
  }

  void packA(Block m, Block k) {
    forStrips(
        builder_, m_.extent, m, blocking_.rows, [&](Value row, int64_t rows) {
          packPanel(builder_, stripOfA(builder_.add(m.begin, row), k.begin),
                    rows, k.extent, panelOf(packedA_, row), blocking_.rows,
                    blocking_.lanes);
        });
  }

  void packB(Block n, Block k) {
    forStrips(builder_, n_.extent, n, blocking_.tileColumns(),
              [&](Value column, int64_t columns) {
                packPanel(builder_,
                          stripOfB(builder_.add(n.begin, column), k.begin),
                          columns, k.extent, panelOf(packedB_, column),
                          blocking_.tileColumns(), blocking_.lanes);
              });
  }

  void multiply(Block m, Block n, Block k, Value isFirst) {
    int64_t width = blocking_.tileColumns();
    // A panel of B stays in the first cache while the rows of A pass by.
    forStrips(
        builder_, n_.extent, n, width, [&](Value column, int64_t columns) {
          forStrips(builder_, m_.extent, m, blocking_.rows,
                    [&](Value row, int64_t rows) {
                      Value rowOfC = builder_.add(m.begin, row);
                      Value columnOfC = builder_.add(n.begin, column);
                      RegisterTile tile;
                      tile.rows = rows;
                      tile.columns = columns;
                      tile.lanes = blocking_.lanes;
                      tile.a = blocking_.packsA ? Strip{panelOf(packedA_, row),
                                                        1, blocking_.rows}
                                                : stripOfA(rowOfC, k.begin);
                      tile.b = blocking_.packsB
                                   ? Strip{panelOf(packedB_, column), 1, width}
                                   : stripOfB(columnOfC, k.begin);
                      tile.canReadBeyond = blocking_.packsB;
                      tile.c = builder_.at(
                          builder_.at(operands_.c, builder_.mul(rowOfC, m_.c)),
                          builder_.mul(columnOfC, n_.c));
                      tile.rowStride = m_.c;
                      tile.columnStride = n_.c;
                      tile.staging = staging_;
                      buildRegisterTile(builder_, tile, k.extent, isFirst);
                    });
        });
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
