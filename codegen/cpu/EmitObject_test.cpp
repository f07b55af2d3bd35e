#include "codegen/cpu/EmitObject.h"

#include <cmath>
#include <string>
#include <vector>

#include "codegen/cpu/LoadedKernels.h"
#include "codegen/cpu/LowerToLlvm.h"
#include "codegen/cpu/ProgramTable.h"
#include "codegen/cpu/Target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"

namespace sbp::cpu {
namespace {

using testing::HasSubstr;

class EmitObjectTest : public testing::Test {
 protected:
  EmitObjectTest() {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    handler.emplace(&context, [this](mlir::Diagnostic& diagnostic) {
      message += diagnostic.str() + "\n";
    });
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const char* text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << message;
    return module;
  }

  Target target(llvm::StringRef name) {
    return *lookUpTarget(name, [this] {
      return mlir::emitError(mlir::UnknownLoc::get(&context));
    });
  }

  mlir::MLIRContext context;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
  std::string message;
};

constexpr const char* kExponential = R"(
  func.func @exponential(%in: memref<1000xf32>, %out: memref<1000xf32>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %extent = arith.constant 1000 : index
    scf.for %i = %zero to %extent step %one {
      %x = memref.load %in[%i] : memref<1000xf32>
      %y = math.exp %x : f32
      memref.store %y, %out[%i] : memref<1000xf32>
    }
    return
  })";

TEST_F(EmitObjectTest, KernelComputesWhatItsLoopsSay) {
  for (const char* cpu : {"host", "x86-64-v2"}) {
    auto module = parse(kExponential);
    auto kernels = LoadedKernels::compile(*module, target(cpu));
    ASSERT_TRUE(kernels) << message;
    alignas(64) static float in[1000];
    alignas(64) static float out[1000];
    for (int i = 0; i < 1000; ++i) in[i] = (i - 500) / 50.0f;
    (*kernels)["exponential"]({in, out});
    for (int i = 0; i < 1000; ++i)
      EXPECT_NEAR(out[i] / std::exp(in[i]), 1.0f, 1e-6f) << in[i];
  }
}

TEST_F(EmitObjectTest, ElementaryFunctionsBecomeVectorCode) {
  auto module = parse(kExponential);
  Target avx2 = target("x86-64-v3");
  ASSERT_TRUE(mlir::succeeded(lowerToLlvm(*module, avx2)));
  auto text = emit(*module, avx2, OutputKind::kAssembly);
  ASSERT_TRUE(mlir::succeeded(text));
  EXPECT_THAT(*text, HasSubstr("ymm"));
  EXPECT_THAT(*text, Not(HasSubstr("expf")));
}

TEST_F(EmitObjectTest, CallOfTheMathLibraryIsAnError) {
  auto module = parse(R"(
    func.func private @tgammaf(f32) -> f32
    func.func @gamma(%buffer: memref<1xf32>) {
      %zero = arith.constant 0 : index
      %x = memref.load %buffer[%zero] : memref<1xf32>
      %y = call @tgammaf(%x) : (f32) -> f32
      memref.store %y, %buffer[%zero] : memref<1xf32>
      return
    })");
  Target host = target("host");
  ASSERT_TRUE(mlir::succeeded(lowerToLlvm(*module, host))) << message;
  EXPECT_TRUE(mlir::failed(emit(*module, host, OutputKind::kObject)));
  EXPECT_THAT(message, HasSubstr("a kernel needs the function 'tgammaf'"));
}

TEST_F(EmitObjectTest, ObjectsMadeSideBySideReferToNothingElseEither) {
  constexpr int kKernels = 20;
  Target host = target("host");
  auto objects = [&](const std::string& function) {
    std::string text = "func.func private @tgammaf(f32) -> f32\n";
    std::vector<std::string> kernels;
    for (int i = 0; i < kKernels; ++i) {
      kernels.push_back("kernel" + std::to_string(i));
      text += "func.func @" + kernels.back() + R"((%buffer: memref<1xf32>) {
        %zero = arith.constant 0 : index
        %x = memref.load %buffer[%zero] : memref<1xf32>
        %y = )" +
              function + R"( f32
        memref.store %y, %buffer[%zero] : memref<1xf32>
        return
      })";
    }
    auto module = parse(text.c_str());
    EXPECT_TRUE(mlir::succeeded(lowerToLlvm(*module, host))) << message;
    // The table refers to kernels in other objects.
    defineProgramTable(*module, {"", kernels, {}}, host);
    return emitObjects(*module, host);
  };
  auto right = objects("math.exp %x :");
  ASSERT_TRUE(mlir::succeeded(right)) << message;
  EXPECT_GT(right->size(), 1u);
  // The result does not depend on the number of cores, or on their timing.
  EXPECT_EQ(*right, *objects("math.exp %x :"));
  EXPECT_TRUE(mlir::failed(objects("call @tgammaf(%x) : (f32) ->")));
  EXPECT_THAT(message, HasSubstr("a kernel needs the function 'tgammaf'"));
}

TEST_F(EmitObjectTest, OperationWithoutLoweringIsAnError) {
  auto module = parse(R"(
    func.func @waits() {
      gpu.barrier
      return
    })");
  EXPECT_TRUE(mlir::failed(lowerToLlvm(*module, target("host"))));
  EXPECT_THAT(message, HasSubstr("gpu.barrier"));
}

TEST_F(EmitObjectTest, UnknownCpuIsAnError) {
  EXPECT_TRUE(mlir::failed(lookUpTarget("i8086", [this] {
    return mlir::emitError(mlir::UnknownLoc::get(&context));
  })));
  EXPECT_THAT(message, HasSubstr("unknown CPU 'i8086' for target 'x86_64"));
}

TEST_F(EmitObjectTest, CpuWithoutRoundingInstructionsIsAnError) {
  EXPECT_TRUE(mlir::failed(lookUpTarget("x86-64", [this] {
    return mlir::emitError(mlir::UnknownLoc::get(&context));
  })));
  EXPECT_THAT(message, HasSubstr("CPU 'x86-64' has no SSE4.1"));
}

}  // namespace
}  // namespace sbp::cpu
