// Every op's kernel against the interpreter.

#include "codegen/cpu/lower/Kernels.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "codegen/cpu/KernelLibrary.h"
#include "codegen/cpu/Target.h"
#include "codegen/cpu/testing/AlignedBuffer.h"
#include "codegen/cpu/testing/LoadedKernels.h"
#include "codegen/cpu/testing/TensorMemory.h"
#include "codegen/interpreter/Tensor.h"
#include "codegen/interpreter/testing/Programs.h"
#include "dialects/nn/Nn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp::cpu {
namespace {

using interpreter::Tensor;

using Bytes = AlignedBuffer<char>;

class KernelsTest : public testing::TestWithParam<const char*> {
 protected:
  KernelsTest() {
    mlir::DialectRegistry registry;
    registerNnKernels(registry);
    context.get()->appendDialectRegistry(registry);
  }

  Target target() {
    return *lookUpTarget(GetParam(), [this] {
      return mlir::emitError(mlir::UnknownLoc::get(context.get()));
    });
  }

  /// Runs each function of `functions`, which is one op, and its kernel on
  /// random numbers; tensors may differ by `tolerance`, relative to 1 or their
  /// elements.
  void expectKernelsAgree(const std::vector<std::string>& functions,
                          double tolerance) {
    std::string text;
    for (size_t i = 0; i < functions.size(); ++i)
      text += "func.func @f" + std::to_string(i) + functions[i] + "\n";
    interpreter::Program program(context, text);
    KernelLibrary library(context.get(), target());
    std::vector<int64_t> kernels;
    for (auto function : program.module().getOps<mlir::func::FuncOp>()) {
      mlir::FailureOr<int64_t> kernel = library.kernelFor(opOf(function));
      ASSERT_TRUE(mlir::succeeded(kernel)) << program.error();
      kernels.push_back(*kernel);
    }
    auto loaded = LoadedKernels::compile(library.module(), target());
    ASSERT_TRUE(loaded) << program.error();
    for (auto [function, kernel] : llvm::zip_equal(
             program.module().getOps<mlir::func::FuncOp>(), kernels))
      runBoth(program, function, library.needsOf(opOf(function))->scratchBytes,
              library.kernelNames()[kernel], *loaded, tolerance);
  }

  mlir::Operation* opOf(mlir::func::FuncOp function) {
    return &function.getBody().front().front();
  }

  void runBoth(interpreter::Program& program, mlir::func::FuncOp function,
               int64_t scratchBytes, const std::string& name,
               const LoadedKernels& loaded, double tolerance) {
    std::vector<Tensor> arguments =
        program.randomArguments(function.getName(), /*seed=*/7);
    for (Tensor& argument : arguments) argument = withSpecialValues(argument);
    auto expected = program.run(function.getName(), arguments);
    ASSERT_TRUE(mlir::succeeded(expected)) << program.error();

    std::vector<Bytes> memory;
    for (mlir::Value operand : opOf(function)->getOperands()) {
      const Tensor& argument =
          arguments[llvm::cast<mlir::BlockArgument>(operand).getArgNumber()];
      memory.emplace_back(bytesOf(argument.type()));
      store(argument, memory.back().data());
    }
    size_t numInputs = memory.size();
    for (mlir::Type type : function.getResultTypes())
      memory.emplace_back(bytesOf(llvm::cast<mlir::RankedTensorType>(type)));
    if (scratchBytes) memory.emplace_back(scratchBytes);
    std::vector<void*> pointers;
    for (Bytes& bytes : memory) pointers.push_back(bytes.data());
    loaded[name](pointers);

    for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
      EXPECT_THAT(load(llvm::cast<mlir::RankedTensorType>(type),
                       memory[numInputs + i].data()),
                  IsCloseTo((*expected)[i], tolerance))
          << name << ", result " << i;
    for (Bytes& bytes : memory) EXPECT_TRUE(bytes.guardsAreIntact()) << name;
  }

  /// The tensor with every other element one of `specialValues`, if it has
  /// reals, or all of them those of `specialIntegers`, if it has as many.
  Tensor withSpecialValues(const Tensor& tensor) {
    if (!tensor.isFloat() &&
        tensor.numElements() == static_cast<int64_t>(specialIntegers.size()))
      return Tensor(tensor.type(), specialIntegers);
    if (specialValues.empty() || !tensor.isFloat()) return tensor;
    std::vector<double> elements = tensor.floats().vec();
    for (size_t i = 0; i < elements.size(); i += 2)
      elements[i] = specialValues[i / 2 % specialValues.size()];
    return Tensor(tensor.type(), elements);
  }

  interpreter::TestContext context;
  std::vector<double> specialValues;  // to put into the operands
  std::vector<int64_t> specialIntegers;
};

INSTANTIATE_TEST_SUITE_P(Cpus, KernelsTest,
                         testing::Values("host", "x86-64-v3", "x86-64-v2"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

/// The function of one op without attributes: unary("nn.exp", "4x5xf32").
std::string unary(const std::string& op, const std::string& type) {
  std::string tensor = "tensor<" + type + ">";
  return "(%x: " + tensor + ") -> " + tensor + " { %y = " + op +
         " %x : " + tensor + " return %y : " + tensor + " }";
}

std::string binary(const std::string& op, const std::string& left,
                   const std::string& right, const std::string& result) {
  return "(%a: tensor<" + left + ">, %b: tensor<" + right + ">) -> tensor<" +
         result + "> { %y = " + op + " %a, %b : (tensor<" + left +
         ">, tensor<" + right + ">) -> tensor<" + result +
         "> return %y : tensor<" + result + "> }";
}

TEST_P(KernelsTest, UnaryOps) {
  std::vector<std::string> functions;
  for (const char* op :
       {"nn.neg", "nn.exp", "nn.log", "nn.sqrt", "nn.rsqrt", "nn.tanh",
        "nn.sigmoid", "nn.relu", "nn.silu", "nn.gelu", "nn.gelu tanh"})
    for (const char* type : {"f32", "1xf32", "7x33xf32", "0x4xf32"})
      functions.push_back(unary(op, type));
  functions.push_back(unary("nn.neg", "19xi32"));
  expectKernelsAgree(functions, 2e-6);
}

TEST_P(KernelsTest, ExtremeValues) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  specialValues = {-infinity, infinity, std::nan(""), 0,     -0.0,  1e30,
                   -1e30,     87,       88.5,         100,   -87,   -90,
                   -104,      -1000,    1000,         1e-30, -1e-30};
  std::vector<std::string> functions;
  for (const char* op :
       {"nn.neg", "nn.exp", "nn.log", "nn.sqrt", "nn.rsqrt", "nn.tanh",
        "nn.sigmoid", "nn.relu", "nn.silu", "nn.gelu", "nn.gelu tanh"})
    functions.push_back(unary(op, "5x27xf32"));
  for (const char* op :
       {"nn.add", "nn.sub", "nn.mul", "nn.div", "nn.max", "nn.min"})
    functions.push_back(binary(op, "5x27xf32", "27xf32", "5x27xf32"));
  for (const char* predicate : {"eq", "ne", "lt", "le", "gt", "ge"})
    functions.push_back(binary(std::string("nn.compare ") + predicate,
                               "5x27xf32", "27xf32", "5x27xi1"));
  expectKernelsAgree(functions, 4e-6);

  // A mask is often an addend of minus infinity.
  specialValues = {-infinity, -1000, 1000, 0};
  expectKernelsAgree({"(%x: tensor<5x70xf32>) -> tensor<5x70xf32> { %y = "
                      "nn.softmax %x dim 1 : "
                      "tensor<5x70xf32> return %y : tensor<5x70xf32> }",
                      "(%x: tensor<5x70xf32>) -> tensor<5x70xf32> { %y = "
                      "nn.softmax %x dim 0 : "
                      "tensor<5x70xf32> return %y : tensor<5x70xf32> }"},
                     2e-6);
}

TEST_P(KernelsTest, BinaryOpsBroadcast) {
  std::vector<std::string> functions;
  for (const char* op :
       {"nn.add", "nn.sub", "nn.mul", "nn.div", "nn.max", "nn.min"}) {
    functions.push_back(binary(op, "5x7xf32", "5x7xf32", "5x7xf32"));
    functions.push_back(binary(op, "3x5x37xf32", "37xf32", "3x5x37xf32"));
    functions.push_back(binary(op, "f32", "2x3xf32", "2x3xf32"));
    functions.push_back(binary(op, "4x1x6xf32", "5x1xf32", "4x5x6xf32"));
    functions.push_back(binary(op, "0x3xf32", "3xf32", "0x3xf32"));
    functions.push_back(binary(op, "9x3xi32", "3xi32", "9x3xi32"));
    functions.push_back(binary(op, "9xi64", "i64", "9xi64"));
  }
  for (const char* op : {"nn.gelu_grad", "nn.gelu_grad tanh", "nn.silu_grad"})
    functions.push_back(binary(op, "7x33xf32", "7x33xf32", "7x33xf32"));
  for (const char* predicate : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    std::string op = std::string("nn.compare ") + predicate;
    functions.push_back(binary(op, "5x7xf32", "7xf32", "5x7xi1"));
    functions.push_back(binary(op, "5x1xi32", "1x7xi32", "5x7xi1"));
  }
  expectKernelsAgree(functions, 2e-6);
}

TEST_P(KernelsTest, SelectAndCast) {
  std::vector<std::string> functions = {
      "(%c: tensor<5x7xi1>, %a: tensor<5x7xf32>, %b: tensor<f32>) -> "
      "tensor<5x7xf32> { %y = nn.select %c, %a, %b : (tensor<5x7xi1>, "
      "tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32> return %y : "
      "tensor<5x7xf32> }"};
  std::vector<std::string> types = {"f32", "i32", "i64", "i1"};
  for (const std::string& from : types)
    for (const std::string& to : types)
      functions.push_back("(%x: tensor<4x9x" + from + ">) -> tensor<4x9x" + to +
                          "> { %y = nn.cast %x : tensor<4x9x" + from +
                          "> -> tensor<4x9x" + to +
                          "> return %y : tensor<4x9x" + to + "> }");
  expectKernelsAgree(functions, 0);
}

TEST_P(KernelsTest, ReductionsOverAnyDimensions) {
  std::vector<std::string> functions;
  auto add = [&](const std::string& kind, const std::string& from,
                 const std::string& dims, const std::string& to) {
    functions.push_back("(%x: tensor<" + from + ">) -> tensor<" + to +
                        "> { %y = nn.reduce " + kind + " %x over " + dims +
                        " : tensor<" + from + "> -> tensor<" + to +
                        "> return %y : tensor<" + to + "> }");
  };
  for (const char* kind : {"sum", "max", "min", "mean"}) {
    add(kind, "5x70xf32", "[1]", "5xf32");
    add(kind, "70x5xf32", "[0]", "5xf32");
    add(kind, "3x70x131xf32", "[0, 1]", "131xf32");
    add(kind, "3x4x5xf32", "[0, 2]", "4xf32");
    add(kind, "3x4x5x6xf32", "[0, 2]", "4x6xf32");
    add(kind, "3x4x5x6xf32", "[1, 3]", "3x5xf32");
    add(kind, "3x4x5xf32", "[0, 1, 2]", "f32");
    add(kind, "3x4x5xf32", "[1] keep", "3x1x5xf32");
    add(kind, "0x5xf32", "[1]", "0xf32");
    add(kind, "3x1xf32", "[1]", "3xf32");
  }
  for (const char* kind : {"sum", "max", "min"}) {
    add(kind, "5x70xi32", "[1]", "5xi32");
    add(kind, "70x5xi64", "[0]", "5xi64");
  }
  add("sum", "0x5xf32", "[0]", "5xf32");
  add("sum", "3x0x5xf32", "[0, 1]", "5xf32");
  // A sum of 210 terms, some of it close to 0: relative to 1, not to the terms.
  expectKernelsAgree(functions, 2e-5);
}

TEST_P(KernelsTest, SoftmaxAndItsGradients) {
  std::vector<std::string> functions;
  for (const char* shape :
       {"5x64xf32", "3x70x7xf32", "2x5x130xf32", "4x1xf32", "0x3xf32"}) {
    int rank = std::count(shape, shape + std::strlen(shape), 'x');
    for (int dim = 0; dim < rank; ++dim)
      for (std::string op : {"softmax", "log_softmax"}) {
        std::string tensor = std::string("tensor<") + shape + ">";
        std::string along = " dim " + std::to_string(dim);
        functions.push_back("(%x: " + tensor + ") -> " + tensor +
                            " { %y = nn." + op + " %x" + along + " : " +
                            tensor + " return %y : " + tensor + " }");
        functions.push_back("(%x: " + tensor + ", %g: " + tensor + ") -> " +
                            tensor + " { %y = nn." + op + "_grad %x, %g" +
                            along + " : (" + tensor + ", " + tensor + ") -> " +
                            tensor + " return %y : " + tensor + " }");
      }
  }
  // The gradient of log_softmax multiplies a sum of up to 130 gradients, which
  // f32 knows to 1e-6, by the exponential of a random number, up to 40 here.
  expectKernelsAgree(functions, 4e-5);
}

TEST_P(KernelsTest, Normalizations) {
  std::vector<std::string> functions;
  for (auto [shape, vector] :
       {std::pair<std::string, std::string>{"5x64", "64"},
        {"2x3x70", "70"},
        {"7", "7"},
        {"3x1", "1"},
        {"0x8", "8"}}) {
    std::string x = "tensor<" + shape + "xf32>";
    std::string v = "tensor<" + vector + "xf32>";
    functions.push_back("(%x: " + x + ", %g: " + v + ", %b: " + v + ") -> " +
                        x + " { %y = nn.layer_norm %x, %g, %b : (" + x + ", " +
                        v + ", " + v + ") -> " + x + " return %y : " + x +
                        " }");
    functions.push_back(
        "(%x: " + x + ", %g: " + v + ") -> " + x +
        " { %y = nn.rms_norm %x, %g {epsilon = 0.01 : f64} : (" + x + ", " + v +
        ") -> " + x + " return %y : " + x + " }");
    functions.push_back(
        "(%x: " + x + ", %g: " + v + ", %d: " + x + ") -> (" + x + ", " + v +
        ", " + v + ") { %a, %b, %c = nn.layer_norm_grad %x, %g, %d : (" + x +
        ", " + v + ", " + x + ") -> (" + x + ", " + v + ", " + v +
        ") return %a, %b, %c : " + x + ", " + v + ", " + v + " }");
    functions.push_back("(%x: " + x + ", %g: " + v + ", %d: " + x + ") -> (" +
                        x + ", " + v +
                        ") { %a, %b = nn.rms_norm_grad %x, %g, %d : (" + x +
                        ", " + v + ", " + x + ") -> (" + x + ", " + v +
                        ") return %a, %b : " + x + ", " + v + " }");
  }
  expectKernelsAgree(functions, 1e-5);
}

TEST_P(KernelsTest, BatchNormalization) {
  std::vector<std::string> functions;
  for (auto [shape, channels] :
       {std::pair<std::string, std::string>{"5x3x7x13", "3"},
        {"2x4x70", "4"},
        {"9x6", "6"},
        {"0x3x4", "3"},
        {"3x2x0", "2"}}) {
    std::string x = "tensor<" + shape + "xf32>";
    std::string v = "tensor<" + channels + "xf32>";
    std::string attributes = " {epsilon = 9.0 : f64, count = 100 : i64} : (";
    // Epsilon is above all random numbers: so no variance is below zero.
    functions.push_back("(%x: " + x + ", %c: " + v + ") -> " + v +
                        " { %y = nn.batch_variance %x, %c {count = 100 : i64}"
                        " : (" +
                        x + ", " + v + ") -> " + v + " return %y : " + v +
                        " }");
    functions.push_back(
        "(%x: " + x + ", %m: " + v + ", %v: " + v + ", %g: " + v +
        ", %b: " + v + ") -> " + x +
        " { %y = nn.batch_norm %x, %m, %v, %g, %b {epsilon = 9.0 : f64} : (" +
        x + ", " + v + ", " + v + ", " + v + ", " + v + ") -> " + x +
        " return %y : " + x + " }");
    functions.push_back("(%x: " + x + ", %m: " + v + ", %g: " + x + ") -> (" +
                        v + ", " + v +
                        ") { %y, %z = nn.batch_norm_sums %x, %m, %g : (" + x +
                        ", " + v + ", " + x + ") -> (" + v + ", " + v +
                        ") return %y, %z : " + v + ", " + v + " }");
    functions.push_back(
        "(%x: " + x + ", %m: " + v + ", %v: " + v + ", %w: " + v +
        ", %g: " + x + ", %p: " + v + ", %s: " + v + ") -> " + x +
        " { %y = nn.batch_norm_grad %x, %m, %v, %w, %g, %p, %s" + attributes +
        x + ", " + v + ", " + v + ", " + v + ", " + x + ", " + v + ", " + v +
        ") -> " + x + " return %y : " + x + " }");
  }
  // Sums of up to 455 terms.
  expectKernelsAgree(functions, 2e-5);
}

TEST_P(KernelsTest, IntegersThatChooseNothingReachNoMemory) {
  constexpr int64_t kWide = int64_t{1} << 40;
  for (auto [i, integers] :
       {std::pair("6xi64",
                  std::vector<int64_t>{INT64_MIN, INT64_MAX, -1, 4, kWide, 3}),
        std::pair("6xi32",
                  std::vector<int64_t>{INT32_MIN, INT32_MAX, -1, 4, 3, 0})}) {
    specialIntegers = integers;
    const std::string indices = "tensor<" + std::string(i) + ">";
    expectKernelsAgree(
        {"(%w: tensor<4x3xf32>, %i: " + indices +
             ") -> tensor<6x3xf32> { %y = nn.embedding %w, %i : "
             "(tensor<4x3xf32>, " +
             indices + ") -> tensor<6x3xf32> return %y : tensor<6x3xf32> }",
         "(%i: " + indices +
             ", %g: tensor<6x3xf32>) -> tensor<4x3xf32> { %y = "
             "nn.embedding_grad %i, %g : (" +
             indices +
             ", tensor<6x3xf32>) -> tensor<4x3xf32> return %y : "
             "tensor<4x3xf32> }",
         "(%x: tensor<6x4xf32>, %i: " + indices +
             ", %g: tensor<f32>) -> tensor<6x4xf32> { %y = "
             "nn.cross_entropy_grad %x, %i, %g : (tensor<6x4xf32>, " +
             indices +
             ", tensor<f32>) -> tensor<6x4xf32> return %y : "
             "tensor<6x4xf32> }"},
        2e-6);
  }
}

TEST_P(KernelsTest, EmbeddingsAndLosses) {
  std::vector<std::string> functions;
  for (std::string i : {"i32", "i64"}) {
    functions.push_back(
        "(%w: tensor<4x33xf32>, %i: tensor<2x3x" + i +
        ">) -> tensor<2x3x33xf32> { %y = nn.embedding %w, %i : "
        "(tensor<4x33xf32>, tensor<2x3x" +
        i + ">) -> tensor<2x3x33xf32> return %y : tensor<2x3x33xf32> }");
    functions.push_back(
        "(%w: tensor<2x3xf32>, %i: tensor<9x" + i +
        ">, %r: tensor<i64>) -> tensor<9x3xf32> { %y = nn.embedding %w, %i "
        "from %r : (tensor<2x3xf32>, tensor<9x" +
        i + ">, tensor<i64>) -> tensor<9x3xf32> return %y : tensor<9x3xf32> }");
    functions.push_back(
        "(%i: tensor<2x9x" + i +
        ">, %g: tensor<2x9x7xf32>) -> tensor<4x7xf32> { %y = nn.embedding_grad "
        "%i, %g : (tensor<2x9x" +
        i +
        ">, tensor<2x9x7xf32>) -> tensor<4x7xf32> return %y : tensor<4x7xf32> "
        "}");
    functions.push_back(
        "(%i: tensor<18x" + i +
        ">, %g: tensor<18x7xf32>, %r: tensor<i64>) -> tensor<2x7xf32> { %y = "
        "nn.embedding_grad %i, %g from %r : (tensor<18x" +
        i +
        ">, tensor<18x7xf32>, tensor<i64>) -> tensor<2x7xf32> return %y : "
        "tensor<2x7xf32> }");
    functions.push_back(
        "(%x: tensor<2x9x70xf32>, %t: tensor<2x9x" + i +
        ">) -> tensor<f32> { %y = nn.cross_entropy %x, %t {count = 36 : i64} : "
        "(tensor<2x9x70xf32>, tensor<2x9x" +
        i + ">) -> tensor<f32> return %y : tensor<f32> }");
    functions.push_back(
        "(%x: tensor<2x9x70xf32>, %t: tensor<2x9x" + i +
        ">, %g: tensor<f32>) -> tensor<2x9x70xf32> { %y = "
        "nn.cross_entropy_grad %x, %t, %g : (tensor<2x9x70xf32>, tensor<2x9x" +
        i +
        ">, tensor<f32>) -> tensor<2x9x70xf32> return %y : "
        "tensor<2x9x70xf32> }");
  }
  functions.push_back(binary("nn.mse", "7x70xf32", "7x70xf32", "f32"));
  expectKernelsAgree(functions, 2e-6);
}

TEST_P(KernelsTest, MovingElements) {
  expectKernelsAgree(
      {"(%x: tensor<4x6xf32>) -> tensor<2x3x4xf32> { %y = nn.reshape %x : "
       "tensor<4x6xf32> -> tensor<2x3x4xf32> return %y : tensor<2x3x4xf32> }",
       "(%x: tensor<4x5xi1>) -> tensor<20xi1> { %y = nn.reshape %x : "
       "tensor<4x5xi1> -> tensor<20xi1> return %y : tensor<20xi1> }",
       "(%x: tensor<4x6x5xf32>) -> tensor<5x4x6xf32> { %y = nn.transpose %x "
       "[2, 0, 1] : tensor<4x6x5xf32> -> tensor<5x4x6xf32> return %y : "
       "tensor<5x4x6xf32> }",
       "(%x: tensor<40x33xi32>) -> tensor<33x40xi32> { %y = nn.transpose %x "
       "[1, 0] : tensor<40x33xi32> -> tensor<33x40xi32> return %y : "
       "tensor<33x40xi32> }",
       "(%x: tensor<4x1xf32>) -> tensor<2x4x5xf32> { %y = nn.broadcast %x : "
       "tensor<4x1xf32> -> tensor<2x4x5xf32> return %y : tensor<2x4x5xf32> }",
       "(%x: tensor<4x8x3xf32>) -> tensor<2x3x3xf32> { %y = nn.slice %x [1, 4, "
       "0] [2, 3, 3] : tensor<4x8x3xf32> -> tensor<2x3x3xf32> return %y : "
       "tensor<2x3x3xf32> }",
       "(%x: tensor<4x3xf32>) -> tensor<5x8xf32> { %y = nn.pad %x [0, 2] [1, "
       "3] "
       ": tensor<4x3xf32> -> tensor<5x8xf32> return %y : tensor<5x8xf32> }",
       "(%x: tensor<4x3xf32>, %y: tensor<4x5xf32>, %z: tensor<4x0xf32>) -> "
       "tensor<4x8xf32> { %r = nn.concat %x, %y, %z dim 1 : (tensor<4x3xf32>, "
       "tensor<4x5xf32>, tensor<4x0xf32>) -> tensor<4x8xf32> return %r : "
       "tensor<4x8xf32> }",
       "() -> tensor<3x4x5xi32> { %y = nn.iota dim 1 : () -> tensor<3x4x5xi32> "
       "return %y : tensor<3x4x5xi32> }",
       "(%s: tensor<i64>) -> tensor<40xf32> { %y = nn.iota from %s dim 0 : "
       "(tensor<i64>) -> tensor<40xf32> return %y : tensor<40xf32> }",
       "() -> tensor<3x7xf32> { %y = nn.constant dense<1.5> : tensor<3x7xf32> "
       "return %y : tensor<3x7xf32> }",
       "() -> tensor<2x2xf32> { %y = nn.constant dense<[[1.0, 2.0], [3.0, "
       "4.0]]> "
       ": tensor<2x2xf32> return %y : tensor<2x2xf32> }",
       "() -> tensor<3xi1> { %y = nn.constant dense<[true, false, true]> : "
       "tensor<3xi1> return %y : tensor<3xi1> }",
       "() -> tensor<2xi64> { %y = nn.constant dense<[-1, 1099511627776]> : "
       "tensor<2xi64> return %y : tensor<2xi64> }"},
      0);
}

TEST_P(KernelsTest, Optimizers) {
  std::string t = "tensor<7x13xf32>", s = "tensor<f32>";
  std::vector<std::string> functions = {
      "(%w: " + t + ", %g: " + t + ", %l: " + s + ") -> " + t +
          " { %y = nn.sgd %w, %g, %l {weight_decay = 0.1 : f64} : (" + t +
          ", " + t + ", " + s + ") -> " + t + " return %y : " + t + " }",
      "(%w: " + t + ", %g: " + t + ", %v: " + t + ", %l: " + s + ") -> (" + t +
          ", " + t +
          ") { %y, %z = nn.momentum %w, %g, %v, %l {momentum = 0.9 : f64, "
          "weight_decay = 0.1 : f64} : (" +
          t + ", " + t + ", " + t + ", " + s + ") -> (" + t + ", " + t +
          ") return %y, %z : " + t + ", " + t + " }"};
  for (std::string decoupled : {"", "decoupled "})
    functions.push_back(
        "(%w: " + t + ", %g: " + t + ", %m: " + t + ", %v: " + t +
        ", %c1: " + s + ", %c2: " + s + ", %l: " + s + ") -> (" + t + ", " + t +
        ", " + t + ") { %x, %y, %z = nn.adam " + decoupled +
        "%w, %g, %m, %v, %c1, %c2, %l {beta1 = 0.9 : f64, beta2 = 0.99 : f64, "
        "epsilon = 1.0e-8 : f64, weight_decay = 0.1 : f64} : (" +
        t + ", " + t + ", " + t + ", " + t + ", " + s + ", " + s + ", " + s +
        ") -> (" + t + ", " + t + ", " + t + ") return %x, %y, %z : " + t +
        ", " + t + ", " + t + " }");
  expectKernelsAgree(functions, 2e-6);
}

TEST_P(KernelsTest, EinsumsOfManyForms) {
  expectKernelsAgree(
      {binary("nn.einsum \"btd,dhk->bhtk\"", "2x5x24xf32", "24x3x7xf32",
              "2x3x5x7xf32"),
       binary("nn.einsum \"bhtk,hkd->btd\"", "2x3x5x7xf32", "3x7x24xf32",
              "2x5x24xf32"),
       binary("nn.einsum \"btd,bhtk->dhk\"", "2x5x24xf32", "2x3x5x7xf32",
              "24x3x7xf32"),
       binary("nn.einsum \"bd,vd->bv\"", "33x20xf32", "70x20xf32", "33x70xf32"),
       binary("nn.einsum \"i,i->\"", "77xf32", "77xf32", "f32"),
       binary("nn.einsum \"ij,j->i\"", "5x77xf32", "77xf32", "5xf32"),
       binary("nn.einsum \"i,ij->j\"", "5xf32", "5x77xf32", "77xf32")},
      1e-5);
}

/// A convolution and its gradients; `windows` says where its windows stand.
std::vector<std::string> convolutions(const std::string& input,
                                      const std::string& filter,
                                      const std::string& output,
                                      const std::string& windows,
                                      int numFirst = 0) {
  std::vector<std::string> functions;
  auto add = [&](const std::string& op, const std::string& left,
                 const std::string& right, const std::string& result) {
    std::string arguments, first, types;
    for (int i = 0; i < numFirst; ++i) {
      std::string name = "%i" + std::to_string(i);
      arguments += ", " + name + ": tensor<i64>";
      first += (i ? ", " : " from ") + name;
      types += ", tensor<i64>";
    }
    functions.push_back("(%a: tensor<" + left + "xf32>, %b: tensor<" + right +
                        "xf32>" + arguments + ") -> tensor<" + result +
                        "xf32> { %y = nn." + op + " %a, %b" + first + " " +
                        windows + " : (tensor<" + left + "xf32>, tensor<" +
                        right + "xf32>" + types + ") -> tensor<" + result +
                        "xf32> return %y : tensor<" + result + "xf32> }");
  };
  add("convolution", input, filter, output);
  add("convolution_input_grad", filter, output, input);
  add("convolution_filter_grad", input, output, filter);
  return functions;
}

TEST_P(KernelsTest, ConvolutionsAndTheirGradients) {
  std::vector<std::string> functions;
  auto add = [&](const std::string& input, const std::string& filter,
                 const std::string& output, const std::string& windows) {
    llvm::append_range(functions, convolutions(input, filter, output, windows));
  };
  add("2x3x9x20", "5x3x3x3", "2x5x9x20", "low [1, 1] high [1, 1]");
  add("2x3x9x20", "5x3x3x2", "2x5x7x19", "");
  add("3x7x9x19", "4x7x3x3", "3x4x5x10",
      "strides [2, 2] low [1, 1] high [1, 1]");
  add("2x3x12x13", "2x3x3x2", "2x2x6x4",
      "strides [2, 3] low [1, 0] high [2, 1] dilations [2, 2]");
  add("2x40x8x9", "33x40x1x1", "2x33x8x9", "");
  add("1x3x4x4", "2x3x3x3", "1x2x10x10", "low [4, 4] high [4, 4]");
  add("2x3x50", "4x3x14", "2x4x37", "");
  add("2x2x4x5x6", "3x2x2x3x2", "2x3x3x5x7", "low [0, 1, 1] high [0, 1, 1]");
  add("5x2x7x7", "3x2x7x7", "5x3x1x1", "");
  add("0x2x7x7", "3x2x7x7", "0x3x1x1", "");
  add("2x0x7x7", "3x0x7x7", "2x3x1x1", "");
  add("2x2x3x3", "0x2x3x3", "2x0x1x1", "");
  // Up to 800 terms.
  expectKernelsAgree(functions, 3e-5);

  // Parts of the outputs. Integers are below 5.
  expectKernelsAgree(convolutions("2x3x9x20", "5x3x3x3", "2x5x4x15",
                                  "low [1, 1] high [1, 1]", 2),
                     1e-5);
  expectKernelsAgree(convolutions("2x3x9x20", "5x3x3x3", "2x5x1x6",
                                  "strides [2, 2] low [1, 1] high [1, 1]", 2),
                     1e-5);
}

TEST_P(KernelsTest, ConvolutionsInSeveralBlocks) {
  // More lines than a block has, not divisible; more channels than fit.
  expectKernelsAgree(convolutions("3x70x17x100", "9x70x3x3", "3x9x17x100",
                                  "low [1, 1] high [1, 1]"),
                     1e-4);
}

TEST_P(KernelsTest, PoolsAndTheirGradients) {
  std::vector<std::string> functions;
  auto add = [&](const std::string& input, const std::string& output,
                 const std::string& windows, bool isPart = false) {
    std::string x = "tensor<" + input + "xf32>",
                y = "tensor<" + output + "xf32>";
    std::string argument = isPart ? ", %i: tensor<i64>" : "";
    std::string at = windows;
    if (isPart) at.insert(at.find(']') + 1, " from %i");
    std::string type = isPart ? ", tensor<i64>" : "";
    for (std::string kind : {"max", "min", "sum", "mean"}) {
      functions.push_back("(%x: " + x + argument + ") -> " + y +
                          " { %y = nn.pool " + kind + " %x over " + at +
                          " : (" + x + type + ") -> " + y +
                          " return %y : " + y + " }");
      functions.push_back("(%x: " + x + ", %g: " + y + argument + ") -> " + x +
                          " { %y = nn.pool_grad " + kind + " %x, %g over " +
                          at + " : (" + x + ", " + y + type + ") -> " + x +
                          " return %y : " + x + " }");
    }
  };
  add("2x3x8x20", "2x3x4x10", "[2, 2] strides [2, 2]");
  add("2x3x7x21", "2x3x7x21", "[3, 3] low [1, 1] high [1, 1]");
  add("2x3x7x9", "2x3x4x5", "[3, 3] strides [2, 2] low [1, 1] high [1, 1]");
  add("3x2x30", "3x2x26", "[3] dilations [2]");
  add("1x2x3x4x5", "1x2x2x2x3",
      "[2, 3, 2] strides [1, 1, 2]"
      " high [0, 0, 1]");
  add("2x0x4x4", "2x0x2x2", "[2, 2] strides [2, 2]");
  add("2x2x1x1", "2x2x3x3", "[1, 1] low [1, 1] high [1, 1]");
  add("2x3x30", "2x3x20", "[3] low [1] high [1]", /*isPart=*/true);
  // Equal elements, of which only the first counts.
  specialValues = {0, 1};
  expectKernelsAgree(functions, 2e-6);
}

TEST_P(KernelsTest, AttentionAndItsGradient) {
  std::vector<std::string> functions;
  auto add = [&](const std::string& heads, int rows, int columns, int features,
                 int values, const std::string& causal) {
    auto tensor = [&](int extent, int width) {
      return "tensor<" + heads + std::to_string(extent) + "x" +
             std::to_string(width) + "xf32>";
    };
    std::string q = tensor(rows, features), k = tensor(columns, features),
                v = tensor(columns, values), o = tensor(rows, values);
    functions.push_back("(%q: " + q + ", %k: " + k + ", %v: " + v + ") -> " +
                        o + " { %y = nn.attention " + causal +
                        "%q, %k, %v {scale = 0.3 : f64} : (" + q + ", " + k +
                        ", " + v + ") -> " + o + " return %y : " + o + " }");
    functions.push_back(
        "(%q: " + q + ", %k: " + k + ", %v: " + v + ", %g: " + o + ") -> (" +
        q + ", " + k + ", " + v + ") { %x, %y, %z = nn.attention_grad " +
        causal + "%q, %k, %v, %g {scale = 0.3 : f64} : (" + q + ", " + k +
        ", " + v + ", " + o + ") -> (" + q + ", " + k + ", " + v +
        ") return %x, %y, %z : " + q + ", " + k + ", " + v + " }");
  };
  for (std::string causal : {"", "causal "}) {
    add("2x3x", 64, 64, 16, 16, causal);
    add("", 70, 77, 33, 20, causal);
    add("2x", 1, 5, 3, 1, causal);
    add("2x", 40, 7, 5, 8, causal);  // causal: some rows see nothing
    add("0x", 4, 4, 4, 4, causal);
  }
  expectKernelsAgree(functions, 1e-5);
}

}  // namespace
}  // namespace sbp::cpu
