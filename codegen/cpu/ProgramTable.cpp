#include "codegen/cpu/ProgramTable.h"

#include <cassert>

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace sbp::cpu {

using namespace mlir;

void defineProgramTable(ModuleOp module, StringRef plan,
                        ArrayRef<std::string> kernels) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();

  std::string text = plan.str() + '\0';
  auto textType =
      LLVM::LLVMArrayType::get(builder.getIntegerType(8), text.size());
  LLVM::GlobalOp::create(builder, loc, textType, /*isConstant=*/true,
                         LLVM::Linkage::External, "sbp_plan",
                         builder.getStringAttr(text));

  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto tableType = LLVM::LLVMArrayType::get(pointer, kernels.size());
  auto table = LLVM::GlobalOp::create(builder, loc, tableType,
                                      /*isConstant=*/true,
                                      LLVM::Linkage::External, "sbp_kernels",
                                      /*value=*/Attribute());
  builder.createBlock(&table.getInitializerRegion());
  Value value = LLVM::UndefOp::create(builder, loc, tableType);
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    assert(module.lookupSymbol(kernel) && "the table names a missing kernel");
    Value address = LLVM::AddressOfOp::create(builder, loc, pointer, kernel);
    value = LLVM::InsertValueOp::create(builder, loc, value, address,
                                        static_cast<int64_t>(index));
  }
  LLVM::ReturnOp::create(builder, loc, value);
}

}  // namespace sbp::cpu
