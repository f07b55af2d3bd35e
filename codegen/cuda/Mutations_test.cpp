// Tests that the tests of kernels find faults: puts faults into the code of
// each family of kernels, one at a time (testing/Mutation.h), and expects that
// the simulated kernel fails or computes a wrong result.

#include <string>
#include <vector>

#include "codegen/cuda/Chip.h"
#include "codegen/cuda/lower/Kernels.h"
#include "codegen/cuda/testing/CompiledOps.h"
#include "codegen/cuda/testing/Mutation.h"
#include "codegen/cuda/testing/SimulatedKernels.h"
#include "codegen/interpreter/testing/Programs.h"
#include "codegen/kernels/testing/TestedOps.h"
#include "fmt/format.h"
#include "gtest/gtest.h"

namespace sbp::cuda {
namespace {

using Kind = Mutation::Kind;

class MutationsTest : public testing::Test {
 protected:
  MutationsTest() {
    mlir::DialectRegistry registry;
    registerNnKernels(registry);
    context.get()->appendDialectRegistry(registry);
  }

  /// Expects that the kernel of `function`, which is one op, is right, and that
  /// each of its mutations is found, on random operands or on operands with
  /// `values`.
  void expectMutationsAreFound(const std::string& function, double tolerance,
                               const SpecialValues& values = {}) {
    const TestedOps tested[] = {{context, {function}},
                                {context, {function}, values}};
    FailureOr<CompiledOps> compiled =
        CompiledOps::of(*context.get(), tested[0].ops());
    ASSERT_TRUE(succeeded(compiled)) << tested[0].error();
    FailureOr<DeviceCode> code = compiled->codeFor(chips().front());
    ASSERT_TRUE(succeeded(code)) << tested[0].error();
    /// Returns a description of what is wrong with `module`, or "". Runs it in
    /// one order of threads first, which finds most faults, then in all.
    const auto fault = [&](const llvm::Module& module) -> std::string {
      for (llvm::ArrayRef<simt::Order> orders :
           {llvm::ArrayRef(simt::kOrders).take_back(1),
            llvm::ArrayRef(simt::kOrders)}) {
        auto kernels =
            SimulatedKernels::load(module, compiled->kernels(), orders);
        if (!kernels.ok()) return std::string(kernels.status().message());
        for (const TestedOps& ops : tested)
          if (std::string wrong = ops.check(**kernels, /*op=*/0, tolerance);
              !wrong.empty())
            return wrong;
      }
      return "";
    };
    ASSERT_EQ(fault(code->module()), "");
    for (const Mutation& mutation : mutationsOf(code->module())) {
      if (mutation.kind == Kind::Approximation && !hasApproximations) continue;
      EXPECT_NE(fault(*mutated(code->module(), mutation)), "") << mutation.what;
    }
  }

  interpreter::TestContext context;
  /// Whether the polynomials of functions such as exp are mutated, too.
  bool hasApproximations = false;
};

std::string reduce(const std::string& kind, const std::string& from,
                   const std::string& dims, const std::string& to) {
  return "(%x: tensor<" + from + ">) -> tensor<" + to + "> { %y = nn.reduce " +
         kind + " %x over " + dims + " : tensor<" + from + "> -> tensor<" + to +
         "> return %y : tensor<" + to + "> }";
}

/// Returns values of which one in `period` elements is large, so that its
/// exponential is infinite in f32. The other elements are 0 or random.
SpecialValues oneIsLarge(int64_t period) {
  SpecialValues values;
  values.reals.assign(period / 2, 0);
  values.reals.front() = 100;
  return values;
}

TEST_F(MutationsTest, OfElements) {
  expectMutationsAreFound(binary("nn.mul", "70x9xf32", "9xf32", "70x9xf32"),
                          2e-6);
  expectMutationsAreFound(
      binary("nn.gelu_grad", "5x33xf32", "5x33xf32", "5x33xf32"), 2e-6);
}

TEST_F(MutationsTest, OfApproximatedFunctions) {
  hasApproximations = true;
  SpecialValues values;
  for (double value = -9; value < 9; value += 0.125)
    values.reals.push_back(value);
  for (const char* op : {"nn.exp", "nn.log", "nn.tanh", "nn.gelu"})
    expectMutationsAreFound(unary(op, "4x72xf32"), 2e-6, values);
}

TEST_F(MutationsTest, OfRearrangements) {
  expectMutationsAreFound(
      "(%x: tensor<40x33xf32>) -> tensor<33x40xf32> { %y = nn.transpose %x "
      "[1, 0] : tensor<40x33xf32> -> tensor<33x40xf32> return %y : "
      "tensor<33x40xf32> }",
      0);
  expectMutationsAreFound(
      "(%x: tensor<4x3xf32>) -> tensor<5x8xf32> { %y = nn.pad %x [0, 2] [1, 3] "
      ": tensor<4x3xf32> -> tensor<5x8xf32> return %y : tensor<5x8xf32> }",
      0);
  expectMutationsAreFound(
      "(%x: tensor<4x8xf32>, %y: tensor<4x5xf32>) -> tensor<4x13xf32> { %r = "
      "nn.concat %x, %y dim 1 : (tensor<4x8xf32>, tensor<4x5xf32>) -> "
      "tensor<4x13xf32> return %r : tensor<4x13xf32> }",
      0);
  expectMutationsAreFound(
      "(%k: tensor<i64>, %x: tensor<4x7x3xf32>) -> tensor<4x3xf32> { %y = "
      "nn.part %k of %x dim 1 : (tensor<i64>, tensor<4x7x3xf32>) -> "
      "tensor<4x3xf32> return %y : tensor<4x3xf32> }",
      0);
  expectMutationsAreFound(
      "() -> tensor<2x2xf32> { %y = nn.constant dense<[[1.0, 2.0], [3.0, "
      "4.0]]> : tensor<2x2xf32> return %y : tensor<2x2xf32> }",
      0);
}

TEST_F(MutationsTest, OfRows) {
  // A row is computed by a warp, by a block, and by a thread.
  for (const auto& [shape, dim] :
       {std::pair("24x66xf32", 1), {"40x1100xf32", 1}, {"30x40xf32", 0}})
    for (const char* op : {"nn.softmax", "nn.log_softmax"}) {
      const std::string tensor = std::string("tensor<") + shape + ">";
      const std::string along = fmt::format(" dim {} : ", dim);
      expectMutationsAreFound(fmt::format("(%x: {0}) -> {0} {{ %y = {1} %x{2}"
                                          "{0} return %y : {0} }}",
                                          tensor, op, along),
                              2e-6, oneIsLarge(1248));
    }
}

TEST_F(MutationsTest, OfReductions) {
  for (const char* kind : {"sum", "max", "mean"}) {
    expectMutationsAreFound(reduce(kind, "64x70xf32", "[1]", "64xf32"), 2e-5);
    expectMutationsAreFound(reduce(kind, "40x1100xf32", "[1]", "40xf32"), 2e-5,
                            oneIsLarge(1248));
  }
  // Only sums are mutated here. A maximum depends on one term only, so that
  // faults in the others stay unseen; the code that chooses the terms is the
  // same.
  for (const char* kind : {"sum", "mean"})
    expectMutationsAreFound(reduce(kind, "600x13xf32", "[0]", "13xf32"), 2e-5);
}

TEST_F(MutationsTest, OfContractions) {
  expectMutationsAreFound(
      binary("nn.einsum \"bd,vd->bv\"", "70x40xf32", "80x40xf32", "70x80xf32"),
      1e-5);
  expectMutationsAreFound(binary("nn.einsum \"btd,dhk->bhtk\"", "2x5x24xf32",
                                 "24x3x7xf32", "2x3x5x7xf32"),
                          1e-5);
  // The operands are dense along rows and columns, so that they are loaded in
  // vectors.
  expectMutationsAreFound(
      binary("nn.einsum \"db,dv->bv\"", "40x72xf32", "40x80xf32", "72x80xf32"),
      1e-5);
}

TEST_F(MutationsTest, OfNorms) {
  for (const auto& [x, v] : {std::pair("tensor<5x64xf32>", "tensor<64xf32>"),
                             {"tensor<3x1100xf32>", "tensor<1100xf32>"}}) {
    expectMutationsAreFound(
        fmt::format("(%x: {0}, %g: {1}, %b: {1}) -> {0} {{ %y = nn.layer_norm "
                    "%x, %g, %b {{epsilon = 0.5 : f64}} : ({0}, {1}, {1}) -> "
                    "{0} return %y : {0} }}",
                    x, v),
        1e-5);
    expectMutationsAreFound(
        fmt::format("(%x: {0}, %g: {1}, %d: {0}) -> ({0}, {1}, {1}) {{ %a, %b, "
                    "%c = nn.layer_norm_grad %x, %g, %d {{epsilon = 0.5 : "
                    "f64}} : ({0}, {1}, {0}) -> ({0}, {1}, {1}) return %a, %b, "
                    "%c : {0}, {1}, {1} }}",
                    x, v),
        1e-5);
  }
}

TEST_F(MutationsTest, OfEmbeddings) {
  expectMutationsAreFound(
      "(%w: tensor<2x3xf32>, %i: tensor<9xi32>, %r: tensor<i64>) -> "
      "tensor<9x3xf32> { %y = nn.embedding %w, %i from %r : (tensor<2x3xf32>, "
      "tensor<9xi32>, tensor<i64>) -> tensor<9x3xf32> return %y : "
      "tensor<9x3xf32> }",
      2e-6);
  // Each row of the table has two indices, 300 apart.
  SpecialValues values;
  for (int64_t i = 0; i < 600; ++i) values.integers.push_back(i % 300);
  expectMutationsAreFound(
      "(%i: tensor<600xi32>, %g: tensor<600x3xf32>) -> tensor<300x3xf32> { %y "
      "= nn.embedding_grad %i, %g : (tensor<600xi32>, tensor<600x3xf32>) -> "
      "tensor<300x3xf32> return %y : tensor<300x3xf32> }",
      2e-6, values);
}

TEST_F(MutationsTest, OfLosses) {
  expectMutationsAreFound(
      "(%x: tensor<40x1100xf32>, %t: tensor<40xi32>) -> tensor<f32> { %y = "
      "nn.cross_entropy %x, %t {count = 36 : i64} : (tensor<40x1100xf32>, "
      "tensor<40xi32>) -> tensor<f32> return %y : tensor<f32> }",
      2e-6, oneIsLarge(1248));
  expectMutationsAreFound(
      "(%x: tensor<2x9x70xf32>, %t: tensor<2x9xi64>, %g: tensor<f32>) -> "
      "tensor<2x9x70xf32> { %y = nn.cross_entropy_grad %x, %t, %g : "
      "(tensor<2x9x70xf32>, tensor<2x9xi64>, tensor<f32>) -> "
      "tensor<2x9x70xf32> return %y : tensor<2x9x70xf32> }",
      2e-6, oneIsLarge(84));
  expectMutationsAreFound(binary("nn.mse", "7x170xf32", "7x170xf32", "f32"),
                          2e-6);
}

TEST_F(MutationsTest, OfOptimizers) {
  std::string t = "tensor<7x13xf32>", s = "tensor<f32>";
  expectMutationsAreFound(
      "(%w: " + t + ", %g: " + t + ", %m: " + t + ", %v: " + t + ", %c1: " + s +
          ", %c2: " + s + ", %l: " + s + ") -> (" + t + ", " + t + ", " + t +
          ") { %x, %y, %z = nn.adam decoupled %w, %g, %m, %v, %c1, %c2, %l "
          "{beta1 = 0.9 : f64, beta2 = 0.99 : f64, epsilon = 0.5 : f64, "
          "weight_decay = 0.1 : f64} : (" +
          t + ", " + t + ", " + t + ", " + t + ", " + s + ", " + s + ", " + s +
          ") -> (" + t + ", " + t + ", " + t + ") return %x, %y, %z : " + t +
          ", " + t + ", " + t + " }",
      2e-6);
}

/// Returns an op of two operands with the window attributes `windows`.
std::string windowed(const std::string& op, const std::string& windows,
                     const std::string& left, const std::string& right,
                     const std::string& result) {
  return fmt::format(
      "(%a: {2}, %b: {3}) -> {4} {{ %y = {0} %a, %b {1} : ({2}, {3}) -> {4} "
      "return %y : {4} }}",
      op, windows, "tensor<" + left + "xf32>", "tensor<" + right + "xf32>",
      "tensor<" + result + "xf32>");
}

// The numbers of rows and columns nearly fill a tile. Faults in the part of a
// tile beyond the edge would make no difference, and would not be found.

TEST_F(MutationsTest, OfConvolutions) {
  const std::string windows = "strides [2, 1] low [1, 1] high [1, 1]";
  const std::string input = "1x7x6x7", filter = "62x7x3x3", output = "1x62x3x7";
  expectMutationsAreFound(
      windowed("nn.convolution", windows, input, filter, output), 1e-5);
  expectMutationsAreFound(
      windowed("nn.convolution_filter_grad", windows, input, output, filter),
      1e-5);
}

TEST_F(MutationsTest, OfGradientsOfConvolutions) {
  expectMutationsAreFound(windowed("nn.convolution_input_grad",
                                   "strides [2, 1] low [1, 1] high [1, 1]",
                                   "3x62x3x3", "1x3x3x7", "1x62x6x7"),
                          1e-5);
}

TEST_F(MutationsTest, OfPools) {
  const std::string windows =
      "over [3, 2] strides [2, 1] low [1, 0] high [1, 1]";
  for (const char* kind : {"max", "mean"}) {
    expectMutationsAreFound(
        fmt::format("(%x: {0}) -> {1} {{ %y = nn.pool {2} %x {3} : ({0}) -> "
                    "{1} return %y : {1} }}",
                    "tensor<2x3x7x9xf32>", "tensor<2x3x4x9xf32>", kind,
                    windows),
        2e-6);
    expectMutationsAreFound(windowed(std::string("nn.pool_grad ") + kind,
                                     windows, "2x3x7x9", "2x3x4x9", "2x3x7x9"),
                            2e-6);
  }
}

TEST_F(MutationsTest, OfBatchNormalization) {
  // A channel is summed in one part, element by element; then in two parts, in
  // vectors.
  for (const char* shape : {"5x3x57", "3x2x2048"}) {
    const std::string x = fmt::format("tensor<{}xf32>", shape);
    const std::string v = fmt::format("tensor<{}xf32>", shape[2]);
    expectMutationsAreFound(
        fmt::format("(%x: {0}, %c: {1}) -> {1} {{ %y = nn.batch_variance %x, "
                    "%c {{count = 100 : i64}} : ({0}, {1}) -> {1} return %y : "
                    "{1} }}",
                    x, v),
        1e-4);
    expectMutationsAreFound(
        fmt::format("(%x: {0}, %m: {1}, %g: {0}) -> ({1}, {1}) {{ %y, %z = "
                    "nn.batch_norm_sums %x, %m, %g : ({0}, {1}, {0}) -> ({1}, "
                    "{1}) return %y, %z : {1}, {1} }}",
                    x, v),
        1e-4);
  }
  // Epsilon is larger than all random numbers, so that variance + epsilon is
  // positive.
  expectMutationsAreFound(
      "(%x: tensor<5x3x8xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>, %g: "
      "tensor<3xf32>, %b: tensor<3xf32>) -> tensor<5x3x8xf32> { %y = "
      "nn.batch_norm %x, %m, %v, %g, %b {epsilon = 9.0 : f64} : "
      "(tensor<5x3x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, "
      "tensor<3xf32>) -> tensor<5x3x8xf32> return %y : tensor<5x3x8xf32> }",
      1e-5);
  expectMutationsAreFound(
      "(%x: tensor<5x3x8xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>, %w: "
      "tensor<3xf32>, %g: tensor<5x3x8xf32>, %p: tensor<3xf32>, %s: "
      "tensor<3xf32>) -> tensor<5x3x8xf32> { %y = nn.batch_norm_grad %x, %m, "
      "%v, %w, %g, %p, %s {epsilon = 9.0 : f64, count = 10 : i64} : "
      "(tensor<5x3x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, "
      "tensor<5x3x8xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<5x3x8xf32> "
      "return %y : tensor<5x3x8xf32> }",
      1e-5);
}

TEST_F(MutationsTest, OfSumsInParts) {
  expectMutationsAreFound(
      binary("nn.einsum \"bd,vd->bv\"", "5x600xf32", "7x600xf32", "5x7xf32"),
      1e-4);
}

TEST_F(MutationsTest, OfBf16) {
  expectMutationsAreFound(binary("nn.einsum \"bd,vd->bv\"", "66x40xbf16",
                                 "70x40xbf16", "66x70xbf16"),
                          1e-5);
  expectMutationsAreFound(
      "(%x: tensor<24x66xbf16>) -> tensor<24x66xbf16> { %y = nn.softmax %x "
      "dim 1 : tensor<24x66xbf16> return %y : tensor<24x66xbf16> }",
      2e-6, oneIsLarge(1248));
}

std::string attention(const std::string& queries, const std::string& keys,
                      const std::string& values, const std::string& results) {
  return fmt::format(
      "(%q: {0}, %k: {1}, %v: {2}) -> {3} {{ %y = nn.attention causal %q, %k, "
      "%v {{scale = 0.3 : f64}} : ({0}, {1}, {2}) -> {3} return %y : {3} }}",
      "tensor<" + queries + "xf32>", "tensor<" + keys + "xf32>",
      "tensor<" + values + "xf32>", "tensor<" + results + "xf32>");
}

std::string attentionGrad(const std::string& queries, const std::string& keys,
                          const std::string& values,
                          const std::string& results) {
  return fmt::format(
      "(%q: {0}, %k: {1}, %v: {2}, %g: {3}) -> ({0}, {1}, {2}) {{ %x, %y, %z = "
      "nn.attention_grad causal %q, %k, %v, %g {{scale = 0.3 : f64}} : ({0}, "
      "{1}, {2}, {3}) -> ({0}, {1}, {2}) return %x, %y, %z : {0}, {1}, {2} }}",
      "tensor<" + queries + "xf32>", "tensor<" + keys + "xf32>",
      "tensor<" + values + "xf32>", "tensor<" + results + "xf32>");
}

TEST_F(MutationsTest, OfAttention) {
  expectMutationsAreFound(attention("2x7x36", "2x70x36", "2x70x20", "2x7x20"),
                          1e-5);
}

TEST_F(MutationsTest, OfAttentionGradients) {
  expectMutationsAreFound(attentionGrad("20x36", "40x36", "40x20", "20x20"),
                          1e-5);
}

}  // namespace
}  // namespace sbp::cuda
