#include "codegen/kernels/ConstantData.h"

#include <string>

#include "codegen/kernels/StridedTensor.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

using namespace mlir;

ElementRef addConstantData(KernelBuilder& builder, ElementRef ofKernel,
                           DenseElementsAttr elements) {
  Type element = elements.getElementType();
  if (element.isInteger(1))
    elements =
        elements.mapValues(builder.getI8Type(),
                           [](const llvm::APInt& bit) { return bit.zext(8); });
  auto flat = MemRefType::get(elements.getNumElements(), memoryType(element));
  Operation* kernel = ofKernel.buffer.getParentRegion()->getParentOp();
  std::string name =
      ("data_of_" + SymbolTable::getSymbolName(kernel).strref()).str();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(kernel);
    memref::GlobalOp::create(
        builder, name, builder.getStringAttr("private"), flat,
        elements.reshape(
            RankedTensorType::get(flat.getShape(), flat.getElementType())),
        /*constant=*/true, /*alignment=*/builder.getI64IntegerAttr(64));
  }
  return {memref::GetGlobalOp::create(builder, flat, name), builder.index(0)};
}

}  // namespace sbp
