#include "codegen/cpu/contraction/BlockProduct.h"

#include "codegen/cpu/contraction/RegisterTile.h"

namespace sbp::cpu {

using namespace mlir;

void forStrips(KernelBuilder& builder, int64_t loopExtent, IterationRange block,
               int64_t width, llvm::function_ref<void(Value, int64_t)> body) {
  int64_t rest = loopExtent % width;
  Value whole = block.extent;
  if (rest) whole = builder.mul(builder.div(whole, width), width);
  builder.loop(builder.index(0), whole, width,
               [&](Value begin) { body(begin, width); });
  if (!rest) return;
  Value end = builder.add(block.begin, block.extent);
  builder.branch(builder.isEqual(end, builder.index(loopExtent)),
                 [&] { body(whole, rest); });
}

void buildBlockProduct(KernelBuilder& builder, const BlockProductArgs& product,
                       Value isFirst) {
  // A strip of B stays in the level 1 cache while all rows of A are processed.
  forStrips(
      builder, product.matrixColumns, product.columns, product.tile.columns(),
      [&](Value column, int64_t columns) {
        forStrips(
            builder, product.matrixRows, product.rows, product.tile.rows,
            [&](Value row, int64_t rows) {
              RegisterTile tile;
              tile.rows = rows;
              tile.columns = columns;
              tile.lanes = product.tile.lanes;
              tile.a = product.a.strip(builder, row);
              tile.b = product.b.strip(builder, column);
              tile.isPaddedToVector = product.isPaddedToVector;
              tile.c = builder.at(
                  builder.at(product.c, builder.mul(row, product.rowStride)),
                  builder.mul(column, product.columnStride));
              tile.rowStride = product.rowStride;
              tile.columnStride = product.columnStride;
              tile.staging = product.staging;
              buildRegisterTile(builder, tile, product.depth, isFirst);
            });
      });
}

}  // namespace sbp::cpu
