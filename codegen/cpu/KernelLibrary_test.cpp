// Tests which ops share a kernel, which work in place, and which have none.

#include "codegen/cpu/KernelLibrary.h"

#include <algorithm>
#include <vector>

#include "codegen/cpu/LoadedKernels.h"
#include "codegen/cpu/Target.h"
#include "codegen/cpu/lower/Kernels.h"
#include "codegen/interpreter/testing/Programs.h"
#include "codegen/kernels/AlignedBuffer.h"
#include "dialects/nn/Nn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::cpu {
namespace {

class KernelLibraryTest : public testing::Test {
 protected:
  KernelLibraryTest() {
    mlir::DialectRegistry registry;
    registerNnKernels(registry);
    context.get()->appendDialectRegistry(registry);
  }

  Target target() {
    return *lookUpTarget("host", [this] {
      return mlir::emitError(mlir::UnknownLoc::get(context.get()));
    });
  }

  interpreter::TestContext context;
};

TEST_F(KernelLibraryTest, EqualComputationsShareAKernel) {
  interpreter::Program program(context, R"(
    func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
      %a = nn.gelu %x : tensor<4xf32>
      %b = nn.gelu %a : tensor<4xf32>
      %c = nn.gelu tanh %x : tensor<4xf32>
      %d = nn.gelu %y : tensor<5xf32>
      return
    })");
  KernelLibrary library(context.get(), target());
  std::vector<int64_t> indices;
  program.module().walk(
      [&](nn::GeluOp op) { indices.push_back(*library.kernelFor(op)); });
  EXPECT_THAT(indices, testing::ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(library.kernelNames(),
              testing::ElementsAre("gelu_0_4", "gelu_1_4", "gelu_2_5"));
}

TEST_F(KernelLibraryTest, KernelInPlaceWritesItsOperand) {
  interpreter::Program program(context, R"(
    func.func @f(%x: tensor<100xf32>, %y: tensor<100xf32>) {
      %a = nn.add %x, %y : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
      return
    })");
  KernelLibrary library(context.get(), target());
  program.module().walk([&](nn::AddOp op) {
    EXPECT_TRUE(mlir::succeeded(library.kernelFor(op, {1})));
    EXPECT_EQ(*library.kernelFor(op), 1);
  });
  auto loaded = LoadedKernels::compile(library.module(), target());
  ASSERT_TRUE(loaded);
  AlignedBuffer<float> x(100), y(100);
  std::fill(x.begin(), x.end(), 2.0f);
  std::fill(y.begin(), y.end(), 3.0f);
  (*loaded)[library.kernelNames()[0]]({x.data(), y.data(), y.data()});
  EXPECT_THAT(std::vector<float>(y.begin(), y.end()), testing::Each(5.0f));
}

TEST_F(KernelLibraryTest, OpWithoutKernelIsAnError) {
  interpreter::Program program(context, R"(
    func.func @f(%x: tensor<4xf32>) {
      "other.layer"(%x) : (tensor<4xf32>) -> ()
      return
    })");
  KernelLibrary library(context.get(), target());
  program.module().walk([&](mlir::Operation* op) {
    if (op->getName().getStringRef() == "other.layer")
      EXPECT_TRUE(mlir::failed(library.kernelFor(op)));
  });
  EXPECT_THAT(program.error(),
              testing::HasSubstr("'other.layer' op has no CPU kernel"));
}

TEST_F(KernelLibraryTest, ShortFloatsHaveNoKernel) {
  interpreter::Program program(context, R"(
    func.func @f(%x: tensor<4xbf16>) {
      %y = nn.cast %x : tensor<4xbf16> -> tensor<4xf32>
      return
    })");
  KernelLibrary library(context.get(), target());
  program.module().walk(
      [&](nn::CastOp op) { EXPECT_TRUE(mlir::failed(library.kernelFor(op))); });
  EXPECT_THAT(program.error(),
              testing::StartsWith(
                  "'nn.cast' op has no CPU kernel for 'bf16' elements; kernels "
                  "for CPUs take f32\n"));
}

}  // namespace
}  // namespace sbp::cpu
