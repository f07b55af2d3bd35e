#include "codegen/cpu/contraction/TiledContraction.h"

#include <algorithm>

#include "codegen/cpu/contraction/BlockProduct.h"
#include "codegen/cpu/contraction/PackPanel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

void forBlocks(KernelBuilder& builder, int64_t extent, int64_t block,
               llvm::function_ref<void(IterationRange)> body) {
  builder.loop(0, extent, block, [&](Value begin) {
    Value size = builder.index(std::min(extent, block));
    if (extent > block && extent % block != 0)
      size = builder.min(size, builder.sub(builder.index(extent), begin));
    body({begin, size});
  });
}

class TiledContraction {
 public:
  TiledContraction(KernelBuilder& builder, const Contraction& contraction,
                   const Blocking& blocking, ElementRef scratch)
      : builder_(builder),
        contraction_(contraction),
        m_(contraction.m),
        n_(contraction.n),
        k_(contraction.k),
        blocking_(blocking),
        packedA_(scratch) {
    // A contraction that needs no scratch memory may get none.
    if (!blocking.scratchElements()) return;
    packedB_ = builder.at(packedA_, blocking.packedAElements());
    staging_ = builder.at(packedB_, blocking.packedBElements());
  }

  void build(Operands operands, Value isFirst) {
    forBlocks(builder_, n_.extent, blocking_.nBlock, [&](IterationRange n) {
      forDepths(operands, [&](Depth depth, Operands part, Value isFirstDepth) {
        StripedMatrix b = columns(part.b, n);
        if (blocking_.packsB)
          b = pack(n_.extent, n, b, contraction_.segments.b, depth,
                   blocking_.tile.columns(), packedB_);
        builder_.loops(
            extentsOf(contraction_.outerRows), [&](ValueRange indices) {
              Operands rows =
                  advance(builder_, part, contraction_.outerRows, indices);
              forBlocks(builder_, m_.extent, blocking_.mBlock,
                        [&](IterationRange m) {
                          StripedMatrix a = this->rows(rows.a, m);
                          if (blocking_.packsA)
                            a = pack(m_.extent, m, a, contraction_.segments.a,
                                     depth, blocking_.tile.rows, packedA_);
                          Value first = builder_.createOrFold<arith::AndIOp>(
                              isFirst, isFirstDepth);
                          multiply(m, n, depth, a, b, rows.c, first);
                        });
            });
      });
    });
  }

 private:
  /// A block of summed iterations: some steps of k in each of some segments.
  /// There is more than one segment only if each has all steps of k.
  struct Depth {
    Value segments;
    Value steps;
    Value total;
  };

  /// Emits a loop over the blocks of summed iterations. `body` gets the block,
  /// the operands advanced to it, and an i1: whether it is the first one.
  void forDepths(Operands operands,
                 llvm::function_ref<void(Depth, Operands, Value)> body) {
    const ContractionLoop& segments = contraction_.segments;
    forBlocks(
        builder_, segments.extent, blocking_.segmentBlock,
        [&](IterationRange segment) {
          Operands ofSegment =
              advance(builder_, operands, segments, segment.begin);
          forBlocks(
              builder_, k_.extent, blocking_.kBlock, [&](IterationRange k) {
                Depth depth{segment.extent, k.extent,
                            blocking_.segmentBlock == 1
                                ? k.extent
                                : builder_.mul(segment.extent, k_.extent)};
                body(depth, advance(builder_, ofSegment, k_, k.begin),
                     allZero(builder_, {segment.begin, k.begin}));
              });
        });
  }

  StripedMatrix rows(ElementRef a, IterationRange m) {
    return StripedMatrix::strided(builder_.at(a, builder_.mul(m.begin, m_.a)),
                                  m_.a, k_.a);
  }

  StripedMatrix columns(ElementRef b, IterationRange n) {
    return StripedMatrix::strided(builder_.at(b, builder_.mul(n.begin, n_.b)),
                                  n_.b, k_.b);
  }

  /// Packs a block of a matrix into panels of `width` lines, and returns them.
  /// The segments, which are `segmentStride` elements apart in the source, are
  /// packed one after the other.
  StripedMatrix pack(int64_t extent, IterationRange lines, StripedMatrix source,
                     int64_t segmentStride, Depth depth, int64_t width,
                     ElementRef packed) {
    StripedMatrix panels =
        StripedMatrix::packed(packed, width, blocking_.panelDepth());
    forStrips(builder_, extent, lines, width, [&](Value line, int64_t count) {
      Strip from = source.strip(builder_, line);
      ElementRef to = panels.strip(builder_, line).first;
      auto packSegment = [&](Strip part, ElementRef panel) {
        packPanel(builder_, part, count, depth.steps, panel, width,
                  blocking_.tile.lanes);
      };
      if (blocking_.segmentBlock == 1) return packSegment(from, to);
      builder_.loop(builder_.index(0), depth.segments, 1, [&](Value segment) {
        Strip part = from;
        part.first =
            builder_.at(from.first, builder_.mul(segment, segmentStride));
        packSegment(part,
                    builder_.at(to, builder_.mul(segment, k_.extent * width)));
      });
    });
    return panels;
  }

  void multiply(IterationRange m, IterationRange n, Depth depth,
                StripedMatrix a, StripedMatrix b, ElementRef c, Value isFirst) {
    BlockProductArgs product;
    product.tile = blocking_.tile;
    product.matrixRows = m_.extent;
    product.matrixColumns = n_.extent;
    product.rows = m;
    product.columns = n;
    product.depth = depth.total;
    product.a = a;
    product.b = b;
    product.isPaddedToVector = blocking_.packsB;
    product.c = builder_.at(builder_.at(c, builder_.mul(m.begin, m_.c)),
                            builder_.mul(n.begin, n_.c));
    product.rowStride = m_.c;
    product.columnStride = n_.c;
    product.staging = staging_;
    buildBlockProduct(builder_, product, isFirst);
  }

  KernelBuilder& builder_;
  const Contraction& contraction_;
  ContractionLoop m_, n_, k_;
  Blocking blocking_;
  ElementRef packedA_, packedB_, staging_;
};

}  // namespace

void buildTiledContraction(KernelBuilder& builder,
                           const Contraction& contraction,
                           const Blocking& blocking, Operands operands,
                           ElementRef scratch, Value isFirst) {
  TiledContraction(builder, contraction, blocking, scratch)
      .build(operands, isFirst);
}

}  // namespace sbp::cpu
