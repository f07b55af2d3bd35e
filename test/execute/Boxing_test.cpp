// Tests that every boxing, lowered to collectives and run, keeps the tensor:
// afterwards N ranks have the parts of the same tensor as before.
//
// TransitionsExecute_test (passes/boxing) tests that the paths of a boxing are
// right; this tests the ops to which they are lowered.

#include <string>
#include <vector>

#include "codegen/interpreter/RankGrid.h"
#include "codegen/interpreter/evaluate/StandardEvaluators.h"
#include "codegen/interpreter/testing/Programs.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Pass/PassManager.h"
#include "passes/localize/Passes.h"

namespace sbp::interpreter {
namespace {

/// Returns the text of all placements on `numAxes` axes with these components.
std::vector<std::string> placements(const std::vector<std::string>& components,
                                    size_t numAxes) {
  std::vector<std::string> all = {""};
  for (size_t axis = 0; axis < numAxes; ++axis) {
    std::vector<std::string> longer;
    for (const std::string& placement : all)
      for (const std::string& component : components)
        longer.push_back(placement + (axis > 0 ? ", " : "") + component);
    all = std::move(longer);
  }
  return all;
}

/// Returns the text of a module with one entry, @f0, @f1, ..., per boxing from
/// `from` to one of `targets`.
std::string boxingsFrom(const std::string& from,
                        const std::vector<std::string>& targets,
                        const std::vector<int64_t>& mesh,
                        const std::string& shape) {
  std::string text = "sbp.machine @m [";
  for (size_t axis = 0; axis < mesh.size(); ++axis)
    text += (axis > 0 ? ", " : "") + std::string("#sbp.level<\"a") +
            std::to_string(axis) + "\" x " + std::to_string(mesh[axis]) +
            ", alpha = 1.0e-6, beta = " + (axis == 0 ? "1.0e-8" : "1.0e-9") +
            ">";
  text += "]\n";
  auto type = [&](const std::string& placement) {
    return "tensor<" + shape + "xf32, #sbp.nd<@m, [" + placement + "]>>";
  };
  for (size_t i = 0; i < targets.size(); ++i) {
    std::string to = type(targets[i]);
    text += "func.func @f" + std::to_string(i) + "(%x: " + type(from) +
            ") -> " + to + " {\n  %y = sbp.box %x : " + type(from) + " to " +
            to + "\n  return %y : " + to + "\n}\n";
  }
  return text;
}

/// Runs every boxing between placements with `components`. Elements are small
/// integers, so that sums are exact in any order.
void expectEveryBoxingKeepsTheTensor(const std::vector<int64_t>& mesh,
                                     const std::vector<std::string>& components,
                                     const std::vector<int64_t>& extents) {
  std::string shape =
      std::to_string(extents[0]) + "x" + std::to_string(extents[1]);
  TestContext context;
  std::vector<double> elements(extents[0] * extents[1]);
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = static_cast<double>(i % 17) - 8;
  Tensor whole(
      RankedTensorType::get(extents, mlir::Float32Type::get(context.get())),
      elements);

  auto all = placements(components, mesh.size());
  for (const std::string& from : all) {
    Program program(context, boxingsFrom(from, all, mesh, shape));
    mlir::PassManager passes(context.get());
    passes.addPass(createLocalize());
    ASSERT_TRUE(succeeded(passes.run(program.module()))) << program.error();
    FailureOr<RankGrid> grid =
        RankGrid::create(program.module(), standardEvaluators());
    ASSERT_TRUE(succeeded(grid)) << program.error();
    for (size_t to = 0; to < all.size(); ++to) {
      FailureOr<Results> results =
          grid->runWhole("f" + std::to_string(to), {whole}, /*seed=*/to);
      ASSERT_TRUE(succeeded(results))
          << from << " -> " << all[to] << ": " << program.error();
      ASSERT_TRUE(results->front().isIdenticalTo(whole))
          << from << " -> " << all[to] << " of " << shape;
    }
  }
}

const std::vector<std::string> kSums = {"S(0)", "S(1)", "B", "P(sum)"};

TEST(EveryBoxing, keeps_even_tensors) {
  expectEveryBoxingKeepsTheTensor({2, 2}, kSums, {16, 16});
  expectEveryBoxingKeepsTheTensor({2, 4}, kSums, {16, 16});
}

TEST(EveryBoxing, keeps_uneven_tensors) {
  expectEveryBoxingKeepsTheTensor({2, 2}, kSums, {10, 7});
  expectEveryBoxingKeepsTheTensor({2, 4}, kSums, {10, 7});
  expectEveryBoxingKeepsTheTensor({3}, kSums, {10, 7});
  expectEveryBoxingKeepsTheTensor({2, 3}, kSums, {7, 10});
}

TEST(EveryBoxing, keeps_tensors_smaller_than_the_mesh) {
  expectEveryBoxingKeepsTheTensor({2, 4}, kSums, {1, 3});
}

TEST(EveryBoxing, keeps_tensors_on_three_axes) {
  expectEveryBoxingKeepsTheTensor({2, 2, 2}, kSums, {7, 1});
}

TEST(EveryBoxing, keeps_extrema) {
  expectEveryBoxingKeepsTheTensor({2, 2}, {"S(0)", "S(1)", "B", "P(max)"},
                                  {10, 7});
  expectEveryBoxingKeepsTheTensor({2, 2}, {"S(0)", "S(1)", "B", "P(min)"},
                                  {10, 7});
}

}  // namespace
}  // namespace sbp::interpreter
