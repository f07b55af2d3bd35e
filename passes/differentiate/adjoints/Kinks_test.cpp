// Tests adjoints where a function has a kink or a value is rounded. Central
// differences do not apply there, so gradients are compared with a convention:
// that of PyTorch's relu, maximum, minimum, amax and amin.

#include <string>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "passes/differentiate/testing/Gradients.h"

namespace sbp {
namespace {

using interpreter::Program;
using interpreter::TestContext;

/// Returns the gradient of sum(%y) with respect to %a, which has four elements
/// that are all `value`.
std::vector<double> gradientAt(const std::string& value,
                               const std::string& body) {
  TestContext context;
  Program program(context, fmt::format(R"(
    nn.parameter @a : tensor<4xf64> = #nn.zeros
    func.func @loss() -> tensor<f64> attributes {{nn.optimizer = #nn.sgd}} {{
      %zero = nn.get @a : tensor<4xf64>
      %value = nn.constant dense<{}> : tensor<4xf64>
      %a = nn.add %zero, %value
         : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      {}
      %loss = nn.reduce sum %y over [0] : tensor<4xf64> -> tensor<f64>
      return %loss : tensor<f64>
    }})",
                                       value, body));
  EXPECT_TRUE(succeeded(differentiate(program))) << program.error();
  return gradientsByTraining(program, {})["a"].floats().vec();
}

TEST(KinkTest, ReluAtZeroHasGradientZero) {
  EXPECT_EQ(
      gradientAt("[-1.0, 0.0, 0.5, 0.0]", "%y = nn.relu %a : tensor<4xf64>"),
      (std::vector<double>{0, 0, 1, 0}));
}

TEST(KinkTest, EqualOperandsOfMaxAndMinGetHalfEach) {
  for (std::string op : {"max", "min"}) {
    std::string body =
        "%c = nn.constant dense<2.0> : tensor<f64>\n"
        "%y = nn." +
        op + " %a, %c : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>";
    std::vector<double> expected = op == "max"
                                       ? std::vector<double>{0, 0.5, 1, 0.5}
                                       : std::vector<double>{1, 0.5, 0, 0.5};
    EXPECT_EQ(gradientAt("[1.0, 2.0, 3.0, 2.0]", body), expected);
  }
}

TEST(KinkTest, TiesOfAReductionShareTheGradient) {
  for (std::string kind : {"max", "min"}) {
    std::string body = "%m = nn.reduce " + kind +
                       " %a over [0] keep : tensor<4xf64> -> tensor<1xf64>\n"
                       "%y = nn.broadcast %m : tensor<1xf64> -> tensor<4xf64>";
    std::vector<double> expected = kind == "max"
                                       ? std::vector<double>{2, 0, 2, 0}
                                       : std::vector<double>{0, 2, 0, 2};
    EXPECT_EQ(gradientAt("[3.0, 1.0, 3.0, 1.0]", body), expected);
  }
}

TEST(KinkTest, CastToANarrowerFloatPassesTheGradientOn) {
  EXPECT_EQ(gradientAt("[1.0, 2.0, 3.0, 4.0]",
                       "%n = nn.cast %a : tensor<4xf64> -> tensor<4xf32>\n"
                       "%e = nn.mul %n, %n : (tensor<4xf32>, tensor<4xf32>) "
                       "-> tensor<4xf32>\n"
                       "%y = nn.cast %e : tensor<4xf32> -> tensor<4xf64>"),
            (std::vector<double>{2, 4, 6, 8}));
}

}  // namespace
}  // namespace sbp
