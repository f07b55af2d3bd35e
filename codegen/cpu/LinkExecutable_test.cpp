#include "codegen/cpu/LinkExecutable.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "codegen/cpu/EmitObject.h"
#include "codegen/cpu/LowerToLlvm.h"
#include "codegen/cpu/ProgramTable.h"
#include "codegen/cpu/Target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "llvm/Support/FileSystem.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"

namespace sbp::cpu {
namespace {

using testing::HasSubstr;

constexpr const char* kDouble = R"(
  func.func @double(%values: memref<4xf32>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %extent = arith.constant 4 : index
    scf.for %i = %zero to %extent step %one {
      %x = memref.load %values[%i] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %values[%i] : memref<4xf32>
    }
    return
  })";

/// Returns the output of `command`.
std::string outputOf(const std::string& command) {
  std::string output;
  // NOLINTNEXTLINE(bugprone-command-processor): the command is the test's own.
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 256> buffer;
  while (fgets(buffer.data(), buffer.size(), pipe)) output += buffer.data();
  pclose(pipe);
  return output;
}

class LinkExecutableTest : public testing::Test {
 protected:
  LinkExecutableTest() {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    handler.emplace(&context, [this](mlir::Diagnostic& diagnostic) {
      message += diagnostic.str() + "\n";
    });
    std::ifstream file("codegen/cpu/testing/PrintingMain.o");
    std::stringstream bytes;
    bytes << file.rdbuf();
    mainObject = bytes.str();
  }

  std::string programObject() {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(kDouble, &context);
    Target target = *lookUpTarget("x86-64-v2", [&] { return emitError(); });
    EXPECT_TRUE(mlir::succeeded(lowerToLlvm(*module, target)));
    defineProgramTable(*module, {"doubled", {"double"}, {}}, target);
    return *emit(*module, target, OutputKind::kObject);
  }

  mlir::InFlightDiagnostic emitError() {
    return mlir::emitError(mlir::UnknownLoc::get(&context));
  }

  mlir::LogicalResult link(llvm::ArrayRef<ObjectBytes> objects,
                           const std::string& path) {
    return linkExecutable(objects, path, [this] { return emitError(); });
  }

  /// Returns the path of a file for this test.
  std::string outputPath(const std::string& name) {
    return testing::TempDir() + "/" + name;
  }

  mlir::MLIRContext context;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
  std::string message;
  std::string mainObject;
};

TEST_F(LinkExecutableTest, ProgramRunsAndNeedsLibcAlone) {
  std::string object = programObject();
  std::string path = outputPath("program");
  // Links twice: the linker has global state, and the second time the file
  // exists already.
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(mlir::succeeded(
        link({{"program.o", object}, {"main.o", mainObject}}, path)))
        << message;
  EXPECT_EQ(outputOf(path), "doubled: 2 4 6 8\n");
  EXPECT_THAT(outputOf("ldd " + path), HasSubstr("libc.so.6"));
  EXPECT_THAT(outputOf("ldd " + path), Not(HasSubstr("libm.so")));
}

TEST_F(LinkExecutableTest, MissingSymbolIsNamedAndTheOldFileStays) {
  std::string path = outputPath("kept");
  std::ofstream(path) << "old";
  ASSERT_TRUE(mlir::failed(link({{"main.o", mainObject}}, path)));
  EXPECT_THAT(message, HasSubstr("undefined symbol: sbp_kernels"));
  EXPECT_THAT(message, HasSubstr("main.o"));
  EXPECT_THAT(message, Not(HasSubstr("/proc/self")));
  std::string content;
  std::ifstream(path) >> content;
  EXPECT_EQ(content, "old");
}

TEST_F(LinkExecutableTest, BrokenObjectIsAnError) {
  ASSERT_TRUE(
      mlir::failed(link({{"broken.o", "\177ELFnot"}}, outputPath("broken"))));
  EXPECT_THAT(message, HasSubstr("broken.o"));
  EXPECT_FALSE(llvm::sys::fs::exists(outputPath("broken")));
}

TEST_F(LinkExecutableTest, UnwritablePlaceIsAnError) {
  ASSERT_TRUE(mlir::failed(
      link({{"main.o", mainObject}}, outputPath("absent/program"))));
  EXPECT_THAT(message, HasSubstr("cannot write"));
  EXPECT_THAT(message, HasSubstr("No such file or directory"));
  message.clear();
  ASSERT_TRUE(mlir::failed(link({{"main.o", mainObject}}, testing::TempDir())));
  EXPECT_THAT(message, HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace sbp::cpu
