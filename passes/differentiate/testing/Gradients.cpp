#include "passes/differentiate/testing/Gradients.h"

#include "gtest/gtest.h"
#include "mlir/Pass/PassManager.h"
#include "passes/differentiate/Activity.h"
#include "passes/differentiate/Passes.h"

namespace sbp {

using interpreter::Parameters;
using interpreter::Program;
using interpreter::Tensor;

LogicalResult differentiate(Program& program) {
  mlir::PassManager passes(program.module().getContext());
  passes.addPass(createDifferentiate());
  if (failed(passes.run(program.module()))) return failure();
  Parameters all = interpreter::initialParameters(program.module(), /*seed=*/1);
  program.parameters().insert(all.begin(), all.end());
  return success();
}

ParameterGradients gradientsByTraining(Program& program,
                                       ArrayRef<Tensor> inputs) {
  std::vector<Tensor> arguments = inputs.vec();
  auto scalar = RankedTensorType::get(
      {}, mlir::Float32Type::get(program.module().getContext()));
  arguments.push_back(Tensor::splat(scalar, 1.0));

  Parameters before = program.parameters();
  if (failed(program.run("train_step", arguments)))
    ADD_FAILURE() << program.error();
  Parameters after = std::exchange(program.parameters(), before);

  ParameterGradients gradients;
  for (const auto& [name, value] : before) {
    if (after[name].isIdenticalTo(value)) continue;
    std::vector<double> elements;
    for (auto [old, updated] : llvm::zip(value.floats(), after[name].floats()))
      elements.push_back(old - updated);
    gradients[name] = Tensor(value.type(), elements);
  }
  return gradients;
}

namespace {

double lossOf(Program& program, ArrayRef<Tensor> inputs) {
  FailureOr<interpreter::Results> results = program.run("loss", inputs);
  if (succeeded(results)) return results->front().scalar();
  ADD_FAILURE() << program.error();
  return 0;
}

/// Returns `tensor` with `step` added to element `index`.
Tensor moved(const Tensor& tensor, int64_t index, double step) {
  std::vector<double> elements = tensor.floats().vec();
  elements[index] += step;
  return Tensor(tensor.type(), elements);
}

}  // namespace

ParameterGradients gradientsByDifferences(Program& program,
                                          ArrayRef<Tensor> inputs) {
  constexpr double kStep = 1e-5;
  ParameterGradients gradients;
  for (auto parameter : program.module().getOps<nn::ParameterOp>()) {
    if (!Activity::isTrainable(parameter)) continue;
    std::string name = parameter.getSymName().str();
    Tensor original = program.parameters()[name];
    std::vector<double> differences;
    for (int64_t index = 0; index < original.numElements(); ++index) {
      double sides[2];
      for (int side = 0; side < 2; ++side) {
        program.parameters()[name] =
            moved(original, index, side == 0 ? -kStep : kStep);
        sides[side] = lossOf(program, inputs);
      }
      differences.push_back((sides[1] - sides[0]) / (2 * kStep));
    }
    program.parameters()[name] = original;
    gradients[name] = Tensor(original.type(), differences);
  }
  return gradients;
}

void expectGradientsOfDifferences(Program& program) {
  std::vector<Tensor> inputs = program.randomArguments("loss", /*seed=*/2);
  ASSERT_TRUE(succeeded(differentiate(program))) << program.error();
  ParameterGradients actual = gradientsByTraining(program, inputs);
  for (const auto& [name, expected] : gradientsByDifferences(program, inputs)) {
    // A gradient of zero leaves its parameter unchanged.
    actual.try_emplace(name, Tensor::splat(expected.type(), 0.0));
    // The differences are off by about step^2 times the third derivative.
    EXPECT_THAT(actual[name], IsCloseTo(expected, 1e-7)) << "of @" << name;
  }
}

}  // namespace sbp
