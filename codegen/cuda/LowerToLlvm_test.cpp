// Tests that kernels compute indices in 32 bits where these suffice, and in 64
// bits where they do not.

#include "codegen/cuda/LowerToLlvm.h"

#include <string>

#include "codegen/cuda/Chip.h"
#include "codegen/cuda/DeviceCode.h"
#include "codegen/cuda/lower/Kernels.h"
#include "codegen/cuda/testing/CompiledOps.h"
#include "codegen/interpreter/testing/Programs.h"
#include "gtest/gtest.h"
#include "llvm/IR/InstIterator.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp::cuda {
namespace {

class LowerToLlvmTest : public testing::Test {
 protected:
  LowerToLlvmTest() {
    mlir::DialectRegistry registry;
    registerNnKernels(registry);
    context_.get()->appendDialectRegistry(registry);
  }

  /// Whether the code of a kernel has a product of 64 bits. `function` is the
  /// text of a function with one op, from its argument list on.
  bool multipliesIn64Bits(const std::string& function) {
    interpreter::Program program(context_, "func.func @f" + function);
    auto first = *program.module().getOps<mlir::func::FuncOp>().begin();
    FailureOr<CompiledOps> compiled =
        CompiledOps::of(*context_.get(), {&first.front().front()});
    EXPECT_TRUE(succeeded(compiled)) << program.error();
    FailureOr<DeviceCode> code = compiled->codeFor(chips().front());
    EXPECT_TRUE(succeeded(code)) << program.error();
    for (const llvm::Function& kernel : code->module())
      for (const llvm::Instruction& instruction : llvm::instructions(kernel))
        if (instruction.getOpcode() == llvm::Instruction::Mul &&
            instruction.getType()->isIntegerTy(64))
          return true;
    return false;
  }

  interpreter::TestContext context_;
};

TEST_F(LowerToLlvmTest, IndicesHave32BitsWhereTheyFit) {
  EXPECT_FALSE(multipliesIn64Bits(
      "(%x: tensor<8x9xf32>) -> tensor<8x1xf32> { %y = nn.slice %x [0, 7] [8, "
      "1] : tensor<8x9xf32> -> tensor<8x1xf32> return %y : tensor<8x1xf32> }"));
}

TEST_F(LowerToLlvmTest, IndicesHave64BitsWhereTheyNeedThem) {
  EXPECT_TRUE(multipliesIn64Bits(
      "(%x: tensor<8x900000001xf32>) -> tensor<8x1xf32> { %y = nn.slice %x [0, "
      "7] [8, 1] : tensor<8x900000001xf32> -> tensor<8x1xf32> return %y : "
      "tensor<8x1xf32> }"));
}

}  // namespace
}  // namespace sbp::cuda
