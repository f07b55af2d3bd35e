#include "codegen/cuda/Indices.h"

namespace sbp::cuda {

llvm::SmallVector<mlir::Value> indicesOf(KernelBuilder& builder,
                                         mlir::Value number,
                                         llvm::ArrayRef<int64_t> extents) {
  llvm::SmallVector<mlir::Value> indices(extents.size());
  for (size_t loop = extents.size(); loop-- > 0;) {
    indices[loop] = loop == 0 ? number : builder.rem(number, extents[loop]);
    if (loop > 0) number = builder.div(number, extents[loop]);
  }
  return indices;
}

mlir::Value isBelow(KernelBuilder& builder, mlir::Value index, int64_t extent,
                    int64_t tile) {
  if (extent % tile == 0)
    return mlir::arith::ConstantIntOp::create(builder, 1, 1);
  return builder.isLess(index, builder.index(extent));
}

}  // namespace sbp::cuda
