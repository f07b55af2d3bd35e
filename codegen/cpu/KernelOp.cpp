#include "codegen/cpu/KernelOp.h"

#include "codegen/cpu/KernelOp.cpp.inc"

namespace sbp::cpu {

mlir::Type memoryType(mlir::Type elementType) {
  if (elementType.isInteger(1))
    return mlir::IntegerType::get(elementType.getContext(), 8);
  return elementType;
}

}  // namespace sbp::cpu
