#include "codegen/cpu/contraction/Operands.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sbp::cpu {

using namespace mlir;

SmallVector<int64_t> extentsOf(ArrayRef<ContractionLoop> loops) {
  SmallVector<int64_t> extents;
  for (const ContractionLoop& loop : loops) extents.push_back(loop.extent);
  return extents;
}

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

}  // namespace sbp::cpu
