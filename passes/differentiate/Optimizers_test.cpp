// Compares the training of a linear regression with optimisers that are written
// as in PyTorch 2's documentation of torch.optim.{SGD, Adam, AdamW}.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "passes/differentiate/testing/Gradients.h"

namespace sbp {
namespace {

using interpreter::Program;
using interpreter::Tensor;
using interpreter::TestContext;
using Vector = std::vector<double>;

constexpr int kNumSteps = 12;
constexpr int kNumSamples = 6;
constexpr int kNumFeatures = 3;
constexpr float kLearningRate = 0.05f;

/// Returns the gradient of mean((x w - t)^2) with respect to w.
Vector gradientOf(ArrayRef<double> x, ArrayRef<double> t, const Vector& w) {
  Vector gradient(kNumFeatures, 0.0);
  for (int sample = 0; sample < kNumSamples; ++sample) {
    ArrayRef<double> row = x.slice(sample * kNumFeatures, kNumFeatures);
    double error = -t[sample];
    for (int i = 0; i < kNumFeatures; ++i) error += row[i] * w[i];
    for (int i = 0; i < kNumFeatures; ++i)
      gradient[i] += 2 * error * row[i] / kNumSamples;
  }
  return gradient;
}

/// The optimiser state of one element of a parameter.
struct Element {
  double first = 0, second = 0;
};
/// An optimiser by hand, for one element: updates its state and returns the new
/// w.
using Rule =
    std::function<double(Element& state, double w, double g, int step)>;

double sgd(double momentum, double decay, Element& state, double w, double g,
           int step) {
  g += decay * w;
  state.first = step == 1 ? g : momentum * state.first + g;
  return w - kLearningRate * state.first;
}

double adam(bool isDecoupled, double decay, Element& state, double w, double g,
            int step) {
  constexpr double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  if (isDecoupled)
    w -= kLearningRate * decay * w;
  else
    g += decay * w;
  state.first = beta1 * state.first + (1 - beta1) * g;
  state.second = beta2 * state.second + (1 - beta2) * g * g;
  double first = state.first / (1 - std::pow(beta1, step));
  double second = state.second / (1 - std::pow(beta2, step));
  return w - kLearningRate * first / (std::sqrt(second) + epsilon);
}

struct OptimizerCase {
  const char* name;
  const char* optimizer;
  Rule rule;
};

void PrintTo(const OptimizerCase& test, std::ostream* stream) {
  *stream << test.optimizer;
}

Rule sgdRule(double momentum, double decay) {
  return [=](Element& state, double w, double g, int step) {
    return sgd(momentum, decay, state, w, g, step);
  };
}

Rule adamRule(bool isDecoupled, double decay) {
  return [=](Element& state, double w, double g, int step) {
    return adam(isDecoupled, decay, state, w, g, step);
  };
}

const OptimizerCase kCases[] = {
    {"Sgd", "#nn.sgd", sgdRule(0, 0)},
    {"SgdWithWeightDecay", "#nn.sgd<weight_decay = 0.1>", sgdRule(0, 0.1)},
    {"Momentum", "#nn.sgd<momentum = 0.9>", sgdRule(0.9, 0)},
    {"MomentumWithWeightDecay", "#nn.sgd<momentum = 0.9, weight_decay = 0.1>",
     sgdRule(0.9, 0.1)},
    {"Adam", "#nn.adam", adamRule(false, 0)},
    {"AdamWithWeightDecay", "#nn.adam<weight_decay = 0.1>",
     adamRule(false, 0.1)},
    {"AdamW", "#nn.adamw", adamRule(true, 0.01)},
    {"AdamWWithWeightDecay", "#nn.adamw<weight_decay = 0.1>",
     adamRule(true, 0.1)},
};

class OptimizersTest : public testing::TestWithParam<OptimizerCase> {};

TEST_P(OptimizersTest, EqualStepsByHand) {
  TestContext context;
  Program program(context,
                  fmt::format(R"(
    nn.parameter @w : tensor<{1}xf64> = #nn.normal<1.0>
    func.func @loss(%x: tensor<{0}x{1}xf64>, %t: tensor<{0}xf64>) -> tensor<f64>
        attributes {{nn.optimizer = {2}}} {{
      %w = nn.get @w : tensor<{1}xf64>
      %y = nn.einsum "bi,i->b" %x, %w
         : (tensor<{0}x{1}xf64>, tensor<{1}xf64>) -> tensor<{0}xf64>
      %loss = nn.mse %y, %t : (tensor<{0}xf64>, tensor<{0}xf64>) -> tensor<f64>
      return %loss : tensor<f64>
    }})",
                              kNumSamples, kNumFeatures, GetParam().optimizer));
  std::vector<Tensor> inputs = program.randomArguments("loss", /*seed=*/3);
  ASSERT_TRUE(succeeded(differentiate(program))) << program.error();
  auto scalar =
      RankedTensorType::get({}, mlir::Float32Type::get(context.get()));
  inputs.push_back(Tensor::splat(scalar, kLearningRate));

  Vector w = program.parameters()["w"].floats().vec();
  std::vector<Element> states(kNumFeatures);
  for (int step = 1; step <= kNumSteps; ++step) {
    ASSERT_TRUE(succeeded(program.run("train_step", inputs)))
        << program.error();
    Vector gradient = gradientOf(inputs[0].floats(), inputs[1].floats(), w);
    for (int i = 0; i < kNumFeatures; ++i)
      w[i] = GetParam().rule(states[i], w[i], gradient[i], step);
    // The corrections of Adam, 1 - beta^t, are kept in single precision.
    EXPECT_THAT(program.parameters()["w"],
                IsCloseTo(Tensor(program.parameters()["w"].type(), w), 1e-7))
        << "after step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(All, OptimizersTest, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<OptimizerCase>& test) {
                           return test.param.name;
                         });

}  // namespace
}  // namespace sbp
