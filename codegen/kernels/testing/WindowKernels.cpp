// Tests that compare the kernels of convolution, pooling and batch
// normalisation with the interpreter. The test program of each target links
// them.

#include <string>
#include <utility>
#include <vector>

#include "codegen/kernels/testing/KernelsTest.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {
namespace {

INSTANTIATE_TEST_SUITE_P(Targets, KernelsTest,
                         testing::ValuesIn(testedTargets()), nameOfTarget);

/// Returns a convolution and its two gradients. `windows` is the text of its
/// window attributes; `firstIn` lists the dimensions of space in which an
/// operand holds the index of the first output.
std::vector<std::string> convolutions(const std::string& input,
                                      const std::string& filter,
                                      const std::string& output,
                                      const std::string& windows,
                                      const std::vector<int>& firstIn = {}) {
  std::vector<std::string> functions;
  auto add = [&](const std::string& op, const std::string& left,
                 const std::string& right, const std::string& result) {
    std::string arguments, first, dims, types;
    for (int dim : firstIn) {
      std::string name = "%i" + std::to_string(dim);
      arguments += ", " + name + ": tensor<i64>";
      first += (first.empty() ? " from " : ", ") + name;
      dims += (dims.empty() ? " in [" : ", ") + std::to_string(dim);
      types += ", tensor<i64>";
    }
    if (!dims.empty()) first += dims + "]";
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
  add("3x7x9x19", "4x7x3x3", "3x4x5x10",
      "strides [2, 2] low [1, 1] high [1, 1]");
  add("2x3x12x13", "2x3x3x2", "2x2x6x4",
      "strides [2, 3] low [1, 0] high [2, 1] dilations [2, 2]");
  add("2x40x8x9", "33x40x1x1", "2x33x8x9", "");
  add("1x3x4x4", "2x3x3x3", "1x2x10x10", "low [4, 4] high [4, 4]");
  add("2x3x50", "4x3x14", "2x4x37", "");
  add("2x3x11", "4x3x5", "2x4x3", "strides [4] low [3] high [3] dilations [2]");
  add("2x2x4x5x6", "3x2x2x3x2", "2x3x3x5x7", "low [0, 1, 1] high [0, 1, 1]");
  add("5x2x7x7", "3x2x7x7", "5x3x1x1", "");
  add("0x2x7x7", "3x2x7x7", "0x3x1x1", "");
  add("2x0x7x7", "3x0x7x7", "2x3x1x1", "");
  add("2x2x3x3", "0x2x3x3", "2x0x1x1", "");
  // The sums have up to 800 terms.
  expectKernelsAgree(functions, 3e-5);

  // These compute parts of the outputs. Random indices of the first output are
  // below 5.
  expectKernelsAgree(convolutions("2x3x9x20", "5x3x3x3", "2x5x4x15",
                                  "low [1, 1] high [1, 1]", {0, 1}),
                     1e-5);
  expectKernelsAgree(
      convolutions("2x3x9x20", "5x3x3x3", "2x5x1x6",
                   "strides [2, 2] low [1, 1] high [1, 1]", {0, 1}),
      1e-5);
}

TEST_P(KernelsTest, ConvolutionsInSeveralBlocks) {
  // More lines than a block of the CPU's kernel has, and not a multiple of it;
  // more channels than fit into one block.
  expectKernelsAgree(convolutions("1x70x17x100", "9x70x3x3", "1x9x17x100",
                                  "low [1, 1] high [1, 1]"),
                     1e-4);
  // Some blocks have lines of two samples.
  expectKernelsAgree(convolutions("2x2x7x150", "3x2x3x3", "2x3x7x150",
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
    if (isPart) at.insert(at.find(']') + 1, " from %i in [0]");
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
  add("2x1x5x41", "2x1x3x21", "[3, 3] strides [2, 2] low [1, 1] high [1, 1]");
  add("3x2x30", "3x2x26", "[3] dilations [2]");
  add("1x2x3x4x5", "1x2x2x2x3",
      "[2, 3, 2] strides [1, 1, 2]"
      " high [0, 0, 1]");
  add("2x0x4x4", "2x0x2x2", "[2, 2] strides [2, 2]");
  add("2x2x1x1", "2x2x3x3", "[1, 1] low [1, 1] high [1, 1]");
  add("2x3x30", "2x3x20", "[3] low [1] high [1]", /*isPart=*/true);
  // A window often has equal elements; only the first extreme gets a gradient.
  specialValues = {0, 1};
  expectKernelsAgree(functions, 2e-6);
}

/// Returns the ops of batch normalisation on an input of `shape`, which has
/// `channels` channels.
std::vector<std::string> batchNormalizations(const std::string& shape,
                                             const std::string& channels) {
  std::vector<std::string> functions;
  std::string x = "tensor<" + shape + "xf32>";
  std::string v = "tensor<" + channels + "xf32>";
  std::string attributes = " {epsilon = 9.0 : f64, count = 100 : i64} : (";
  // Epsilon is larger than all random numbers, so that variance + epsilon is
  // positive.
  functions.push_back("(%x: " + x + ", %c: " + v + ") -> " + v +
                      " { %y = nn.batch_variance %x, %c {count = 100 : i64}"
                      " : (" +
                      x + ", " + v + ") -> " + v + " return %y : " + v + " }");
  functions.push_back(
      "(%x: " + x + ", %m: " + v + ", %v: " + v + ", %g: " + v + ", %b: " + v +
      ") -> " + x +
      " { %y = nn.batch_norm %x, %m, %v, %g, %b {epsilon = 9.0 : f64} : (" + x +
      ", " + v + ", " + v + ", " + v + ", " + v + ") -> " + x +
      " return %y : " + x + " }");
  functions.push_back(
      "(%x: " + x + ", %m: " + v + ", %g: " + x + ") -> (" + v + ", " + v +
      ") { %y, %z = nn.batch_norm_sums %x, %m, %g : (" + x + ", " + v + ", " +
      x + ") -> (" + v + ", " + v + ") return %y, %z : " + v + ", " + v + " }");
  functions.push_back("(%x: " + x + ", %m: " + v + ", %v: " + v + ", %w: " + v +
                      ", %g: " + x + ", %p: " + v + ", %s: " + v + ") -> " + x +
                      " { %y = nn.batch_norm_grad %x, %m, %v, %w, %g, %p, %s" +
                      attributes + x + ", " + v + ", " + v + ", " + v + ", " +
                      x + ", " + v + ", " + v + ") -> " + x +
                      " return %y : " + x + " }");
  return functions;
}

TEST_P(KernelsTest, BatchNormalization) {
  std::vector<std::string> functions;
  for (const auto& [shape, channels] :
       {std::pair<std::string, std::string>{"5x3x7x13", "3"},
        {"2x4x70", "4"},
        {"3x2x4x16", "2"},
        {"9x6", "6"},
        {"0x3x4", "3"},
        {"3x2x0", "2"}})
    llvm::append_range(functions, batchNormalizations(shape, channels));
  // The sums have up to 455 terms.
  expectKernelsAgree(functions, 2e-5);
}

TEST_P(KernelsTest, BatchNormalizationOfManyElements) {
  expectKernelsAgree(batchNormalizations("3x2x40x72", "2"), 1e-4);
  expectKernelsAgree(batchNormalizations("4099x3", "3"), 1e-4);
}

}  // namespace
}  // namespace sbp
