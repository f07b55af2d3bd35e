// Compares every gradient op with central differences of its forward op, in
// double precision: with L = sum(g * f(x)), the gradient is dL/dx.

#include <string>

#include "codegen/interpreter/testing/Programs.h"
#include "gtest/gtest.h"

namespace sbp::interpreter {
namespace {

/// A forward op and its gradient. @forward maps arguments to one tensor;
/// @gradient maps the same arguments and a gradient of that tensor to the
/// gradients of the arguments that `wanted` lists.
struct GradientCase {
  const char* name;
  std::vector<size_t> wanted;
  const char* text;
};

class GradientsTest : public testing::TestWithParam<GradientCase> {};

/// Returns sum(gradient * f(arguments)).
double loss(Program& program, ArrayRef<Tensor> arguments,
            const Tensor& gradient) {
  auto results = program.run("forward", arguments);
  double sum = 0;
  for (int64_t index = 0; index < gradient.numElements(); ++index)
    sum += gradient.floats()[index] * results->front().floats()[index];
  return sum;
}

/// Returns `tensor` with `step` added to element `index`.
Tensor moved(const Tensor& tensor, int64_t index, double step) {
  std::vector<double> elements(tensor.floats());
  elements[index] += step;
  return Tensor(tensor.type(), elements);
}

TEST_P(GradientsTest, EqualCentralDifferences) {
  TestContext context;
  Program program(context, GetParam().text);
  std::vector<Tensor> operands = program.randomArguments("gradient", 1);
  const Tensor& gradient = operands.back();
  std::vector<Tensor> arguments = operands;
  arguments.pop_back();

  auto gradients = program.run("gradient", operands);
  ASSERT_TRUE(succeeded(gradients)) << program.error();
  ASSERT_EQ(gradients->size(), GetParam().wanted.size());
  for (auto [result, wanted] : llvm::zip(*gradients, GetParam().wanted)) {
    constexpr double step = 1e-5;
    std::vector<double> differences;
    for (int64_t index = 0; index < arguments[wanted].numElements(); ++index) {
      std::vector<Tensor> above = arguments, below = arguments;
      above[wanted] = moved(arguments[wanted], index, step);
      below[wanted] = moved(arguments[wanted], index, -step);
      differences.push_back(
          (loss(program, above, gradient) - loss(program, below, gradient)) /
          (2 * step));
    }
    // Central differences have an error of about step^2.
    EXPECT_THAT(result, IsCloseTo(Tensor(result.type(), differences), 1e-8));
  }
}

const GradientCase kCases[] = {
    {"Gelu", {0}, R"(
      func.func @forward(%x: tensor<7xf64>) -> tensor<7xf64> {
        %y = nn.gelu %x : tensor<7xf64>
        return %y : tensor<7xf64>
      }
      func.func @gradient(%x: tensor<7xf64>, %g: tensor<7xf64>) -> tensor<7xf64> {
        %d = nn.gelu_grad %x, %g : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xf64>
        return %d : tensor<7xf64>
      })"},
    {"GeluTanh", {0}, R"(
      func.func @forward(%x: tensor<7xf64>) -> tensor<7xf64> {
        %y = nn.gelu tanh %x : tensor<7xf64>
        return %y : tensor<7xf64>
      }
      func.func @gradient(%x: tensor<7xf64>, %g: tensor<7xf64>) -> tensor<7xf64> {
        %d = nn.gelu_grad tanh %x, %g
           : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xf64>
        return %d : tensor<7xf64>
      })"},
    {"Silu", {0}, R"(
      func.func @forward(%x: tensor<7xf64>) -> tensor<7xf64> {
        %y = nn.silu %x : tensor<7xf64>
        return %y : tensor<7xf64>
      }
      func.func @gradient(%x: tensor<7xf64>, %g: tensor<7xf64>) -> tensor<7xf64> {
        %d = nn.silu_grad %x, %g : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xf64>
        return %d : tensor<7xf64>
      })"},
    {"Softmax", {0}, R"(
      func.func @forward(%x: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
        %y = nn.softmax %x dim 1 : tensor<2x3x4xf64>
        return %y : tensor<2x3x4xf64>
      }
      func.func @gradient(%x: tensor<2x3x4xf64>, %g: tensor<2x3x4xf64>)
          -> tensor<2x3x4xf64> {
        %y = nn.softmax %x dim 1 : tensor<2x3x4xf64>
        %d = nn.softmax_grad %y, %g dim 1
           : (tensor<2x3x4xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
        return %d : tensor<2x3x4xf64>
      })"},
    {"LogSoftmax", {0}, R"(
      func.func @forward(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
        %y = nn.log_softmax %x dim 1 : tensor<3x4xf64>
        return %y : tensor<3x4xf64>
      }
      func.func @gradient(%x: tensor<3x4xf64>, %g: tensor<3x4xf64>)
          -> tensor<3x4xf64> {
        %y = nn.log_softmax %x dim 1 : tensor<3x4xf64>
        %d = nn.log_softmax_grad %y, %g dim 1
           : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
        return %d : tensor<3x4xf64>
      })"},
    {"LayerNorm", {0, 1, 2}, R"(
      func.func @forward(%x: tensor<2x3x4xf64>, %gamma: tensor<4xf64>,
                         %beta: tensor<4xf64>) -> tensor<2x3x4xf64> {
        %y = nn.layer_norm %x, %gamma, %beta
           : (tensor<2x3x4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<2x3x4xf64>
        return %y : tensor<2x3x4xf64>
      }
      func.func @gradient(%x: tensor<2x3x4xf64>, %gamma: tensor<4xf64>,
                          %beta: tensor<4xf64>, %g: tensor<2x3x4xf64>)
          -> (tensor<2x3x4xf64>, tensor<4xf64>, tensor<4xf64>) {
        %d:3 = nn.layer_norm_grad %x, %gamma, %g
           : (tensor<2x3x4xf64>, tensor<4xf64>, tensor<2x3x4xf64>)
           -> (tensor<2x3x4xf64>, tensor<4xf64>, tensor<4xf64>)
        return %d#0, %d#1, %d#2 : tensor<2x3x4xf64>, tensor<4xf64>, tensor<4xf64>
      })"},
    {"RmsNorm", {0, 1}, R"(
      func.func @forward(%x: tensor<3x4xf64>, %gamma: tensor<4xf64>)
          -> tensor<3x4xf64> {
        %y = nn.rms_norm %x, %gamma {epsilon = 0.1 : f64}
           : (tensor<3x4xf64>, tensor<4xf64>) -> tensor<3x4xf64>
        return %y : tensor<3x4xf64>
      }
      func.func @gradient(%x: tensor<3x4xf64>, %gamma: tensor<4xf64>,
                          %g: tensor<3x4xf64>)
          -> (tensor<3x4xf64>, tensor<4xf64>) {
        %d:2 = nn.rms_norm_grad %x, %gamma, %g {epsilon = 0.1 : f64}
           : (tensor<3x4xf64>, tensor<4xf64>, tensor<3x4xf64>)
           -> (tensor<3x4xf64>, tensor<4xf64>)
        return %d#0, %d#1 : tensor<3x4xf64>, tensor<4xf64>
      })"},
    {"Embedding", {0}, R"(
      func.func @forward(%t: tensor<4x3xf64>, %i: tensor<2x4xi32>)
          -> tensor<2x4x3xf64> {
        %y = nn.embedding %t, %i
           : (tensor<4x3xf64>, tensor<2x4xi32>) -> tensor<2x4x3xf64>
        return %y : tensor<2x4x3xf64>
      }
      func.func @gradient(%t: tensor<4x3xf64>, %i: tensor<2x4xi32>,
                          %g: tensor<2x4x3xf64>) -> tensor<4x3xf64> {
        %d = nn.embedding_grad %i, %g
           : (tensor<2x4xi32>, tensor<2x4x3xf64>) -> tensor<4x3xf64>
        return %d : tensor<4x3xf64>
      })"},
    // Random integers are below the number of classes: other labels have no
    // loss.
    {"CrossEntropy", {0}, R"(
      func.func @forward(%x: tensor<2x3x5xf64>, %labels: tensor<2x3xi32>)
          -> tensor<f64> {
        %y = nn.cross_entropy %x, %labels
           : (tensor<2x3x5xf64>, tensor<2x3xi32>) -> tensor<f64>
        return %y : tensor<f64>
      }
      func.func @gradient(%x: tensor<2x3x5xf64>, %labels: tensor<2x3xi32>,
                          %g: tensor<f64>) -> tensor<2x3x5xf64> {
        %d = nn.cross_entropy_grad %x, %labels, %g
           : (tensor<2x3x5xf64>, tensor<2x3xi32>, tensor<f64>) -> tensor<2x3x5xf64>
        return %d : tensor<2x3x5xf64>
      })"},
    {"Attention", {0, 1, 2}, R"(
      func.func @forward(%q: tensor<2x3x4xf64>, %k: tensor<2x5x4xf64>,
                         %v: tensor<2x5x2xf64>) -> tensor<2x3x2xf64> {
        %y = nn.attention causal %q, %k, %v {scale = 0.7 : f64}
           : (tensor<2x3x4xf64>, tensor<2x5x4xf64>, tensor<2x5x2xf64>)
           -> tensor<2x3x2xf64>
        return %y : tensor<2x3x2xf64>
      }
      func.func @gradient(%q: tensor<2x3x4xf64>, %k: tensor<2x5x4xf64>,
                          %v: tensor<2x5x2xf64>, %g: tensor<2x3x2xf64>)
          -> (tensor<2x3x4xf64>, tensor<2x5x4xf64>, tensor<2x5x2xf64>) {
        %d:3 = nn.attention_grad causal %q, %k, %v, %g {scale = 0.7 : f64}
           : (tensor<2x3x4xf64>, tensor<2x5x4xf64>, tensor<2x5x2xf64>,
              tensor<2x3x2xf64>)
           -> (tensor<2x3x4xf64>, tensor<2x5x4xf64>, tensor<2x5x2xf64>)
        return %d#0, %d#1, %d#2
           : tensor<2x3x4xf64>, tensor<2x5x4xf64>, tensor<2x5x2xf64>
      })"},
    {"AttentionSeeingNothing", {0, 1, 2}, R"(
      func.func @forward(%q: tensor<3x2xf64>, %k: tensor<2x2xf64>,
                         %v: tensor<2x2xf64>) -> tensor<3x2xf64> {
        %y = nn.attention causal %q, %k, %v {scale = 1.0 : f64}
           : (tensor<3x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<3x2xf64>
        return %y : tensor<3x2xf64>
      }
      func.func @gradient(%q: tensor<3x2xf64>, %k: tensor<2x2xf64>,
                          %v: tensor<2x2xf64>, %g: tensor<3x2xf64>)
          -> (tensor<3x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>) {
        %d:3 = nn.attention_grad causal %q, %k, %v, %g {scale = 1.0 : f64}
           : (tensor<3x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<3x2xf64>)
           -> (tensor<3x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>)
        return %d#0, %d#1, %d#2 : tensor<3x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>
      })"},
};

INSTANTIATE_TEST_SUITE_P(Ops, GradientsTest, testing::ValuesIn(kCases),
                         [](const auto& instance) {
                           return std::string(instance.param.name);
                         });

}  // namespace
}  // namespace sbp::interpreter
