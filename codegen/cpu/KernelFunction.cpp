#include "codegen/cpu/KernelFunction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cpu {

using namespace mlir;

void addKernelFunction(
    ModuleOp module, Location loc, StringRef name, ArrayRef<BufferType> buffers,
    llvm::function_ref<void(KernelBuilder&, ArrayRef<ElementRef>)> body) {
  OpBuilder moduleBuilder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> types;
  for (const BufferType& buffer : buffers)
    types.push_back(MemRefType::get(buffer.numElements, buffer.element));
  auto function = func::FuncOp::create(
      moduleBuilder, loc, name, moduleBuilder.getFunctionType(types, {}));
  KernelBuilder builder(loc, module.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  SmallVector<ElementRef> places;
  for (Value argument : function.getArguments())
    places.push_back({argument, builder.index(0)});
  body(builder, places);
  func::ReturnOp::create(builder);
}

}  // namespace sbp::cpu
