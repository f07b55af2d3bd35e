#include "codegen/kernels/Rows.h"

#include <limits>

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sbp {

using mlir::vector::CombiningKind;

RowShape rowsAlong(mlir::RankedTensorType type, int64_t dim) {
  RowShape shape;
  shape.length = type.getDimSize(dim);
  for (int64_t extent : type.getShape().take_front(dim)) shape.outer *= extent;
  for (int64_t extent : type.getShape().drop_front(dim + 1))
    shape.inner *= extent;
  return shape;
}

mlir::Value neutralElement(KernelBuilder& builder, CombiningKind kind,
                           mlir::VectorType type) {
  mlir::Type element = type.getElementType();
  if (llvm::isa<mlir::FloatType>(element)) {
    double infinity = std::numeric_limits<double>::infinity();
    switch (kind) {
      case CombiningKind::MAXIMUMF:
      case CombiningKind::MAXNUMF:
        return builder.number(type, -infinity);
      case CombiningKind::MINIMUMF:
      case CombiningKind::MINNUMF:
        return builder.number(type, infinity);
      default:
        return builder.number(type, 0);
    }
  }
  unsigned width = element.getIntOrFloatBitWidth();
  llvm::APInt value(width, 0);
  if (kind == CombiningKind::MAXSI)
    value = llvm::APInt::getSignedMinValue(width);
  if (kind == CombiningKind::MINSI)
    value = llvm::APInt::getSignedMaxValue(width);
  return mlir::arith::ConstantOp::create(
      builder, mlir::DenseElementsAttr::get(
                   type, mlir::IntegerAttr::get(element, value)));
}

mlir::Value combine(KernelBuilder& builder, CombiningKind kind, mlir::Value a,
                    mlir::Value b) {
  return mlir::vector::makeArithReduction(builder, builder.getLoc(), kind, a,
                                          b);
}

}  // namespace sbp
