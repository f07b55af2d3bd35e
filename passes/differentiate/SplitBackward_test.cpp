// Tests backwards of stages in halves, and recomputation. The gradients equal
// those of whole backwards bit by bit, each half has only the ops that it
// needs, and nothing is computed twice.

#include <fstream>
#include <sstream>
#include <string>

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/sbp/Sbp.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "passes/differentiate/Passes.h"
#include "passes/differentiate/testing/Gradients.h"
#include "passes/stages/Passes.h"

namespace sbp {
namespace {

using interpreter::Program;
using interpreter::TestContext;
using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

constexpr int64_t kNumStages = 3;

/// A model that has not been cut into stages.
struct Model {
  std::string name;
  std::string text;
};

std::string read(const std::string& file) {
  std::ifstream stream("passes/differentiate/" + file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Layers with an inner layer that is called twice, and a residual. The third
/// and the first layer read the same parameter, and each has weights that are
/// computed from parameters.
constexpr char kNested[] = R"(
  nn.parameter @w : tensor<3x3xf64> = #nn.normal<0.7>
  nn.parameter @v : tensor<9xf64> = #nn.normal<0.7>
  nn.parameter @g : tensor<3xf64> = #nn.normal<0.7>
  func.func private @inner(%x: tensor<2x3xf64>, %w: tensor<3x3xf64>)
      -> tensor<2x3xf64> {
    %h = nn.einsum "bi,ij->bj" %x, %w
       : (tensor<2x3xf64>, tensor<3x3xf64>) -> tensor<2x3xf64>
    %s = nn.sigmoid %h : tensor<2x3xf64>
    %y = nn.mul %s, %h
       : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
    return %y : tensor<2x3xf64>
  }
  func.func private @outer(%x: tensor<2x3xf64>, %v: tensor<9xf64>,
                           %g: tensor<3xf64>) -> tensor<2x3xf64> {
    %w = nn.reshape %v : tensor<9xf64> -> tensor<3x3xf64>
    %again = nn.get @w : tensor<3x3xf64>
    %n = nn.rms_norm %x, %g : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
    %a = call @inner(%n, %w)
       : (tensor<2x3xf64>, tensor<3x3xf64>) -> tensor<2x3xf64>
    %b = call @inner(%a, %again)
       : (tensor<2x3xf64>, tensor<3x3xf64>) -> tensor<2x3xf64>
    %m = nn.add %b, %g : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
    %y = nn.add %m, %x : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
    return %y : tensor<2x3xf64>
  }
  func.func @loss(%x: tensor<2x3xf64> {nn.input = "x"},
                  %t: tensor<2x3xf64> {nn.input = "t"}) -> tensor<f64> {
    %v = nn.get @v : tensor<9xf64>
    %g = nn.get @g : tensor<3xf64>
    %h1 = call @outer(%x, %v, %g)
        : (tensor<2x3xf64>, tensor<9xf64>, tensor<3xf64>) -> tensor<2x3xf64>
    %h2 = call @outer(%h1, %v, %g)
        : (tensor<2x3xf64>, tensor<9xf64>, tensor<3xf64>) -> tensor<2x3xf64>
    %h3 = call @outer(%h2, %v, %g)
        : (tensor<2x3xf64>, tensor<9xf64>, tensor<3xf64>) -> tensor<2x3xf64>
    %loss = nn.mse %h3, %t : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<f64>
    return %loss : tensor<f64>
  })";

/// A perceptron whose layers share one parameter for their weights. The last
/// stage returns a sum of its operands, so that the gradients of a weight and
/// of an activation are the same tensor.
constexpr char kPerceptron[] = R"(
  nn.parameter @w : tensor<3x3xf64> = #nn.normal<0.7>
  nn.parameter @b : tensor<4x3xf64> = #nn.normal<0.7>
  func.func private @layer(%x: tensor<4x3xf64>, %w: tensor<3x3xf64>)
      -> tensor<4x3xf64> {
    %h = nn.einsum "bi,ij->bj" %x, %w
       : (tensor<4x3xf64>, tensor<3x3xf64>) -> tensor<4x3xf64>
    %y = nn.tanh %h : tensor<4x3xf64>
    return %y : tensor<4x3xf64>
  }
  func.func private @last(%x: tensor<4x3xf64>, %b: tensor<4x3xf64>)
      -> tensor<4x3xf64> {
    %y = nn.add %x, %b : (tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
    return %y : tensor<4x3xf64>
  }
  func.func @loss(%x: tensor<4x3xf64> {nn.input = "x"}) -> tensor<f64> {
    %w = nn.get @w : tensor<3x3xf64>
    %b = nn.get @b : tensor<4x3xf64>
    %h1 = call @layer(%x, %w)
        : (tensor<4x3xf64>, tensor<3x3xf64>) -> tensor<4x3xf64>
    %h2 = call @layer(%h1, %w)
        : (tensor<4x3xf64>, tensor<3x3xf64>) -> tensor<4x3xf64>
    %h3 = call @layer(%h2, %w)
        : (tensor<4x3xf64>, tensor<3x3xf64>) -> tensor<4x3xf64>
    %y = call @last(%h3, %b)
        : (tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
    %loss = nn.reduce sum %y over [0, 1] : tensor<4x3xf64> -> tensor<f64>
    return %loss : tensor<f64>
  })";

/// Returns the text of `kNumStages` groups of one rank each.
std::string groups() {
  std::string text = fmt::format(
      "sbp.machine @host [#sbp.level<\"cpu\" x {}, alpha = 1.0e-6, beta = "
      "1.0e-9>]\n",
      kNumStages);
  std::string names;
  for (int64_t group = 0; group < kNumStages; ++group) {
    text += fmt::format(
        "sbp.mesh @group{} of @host ranks [{}] [#sbp.axis<\"one\" x 1 in "
        "\"cpu\">]\n",
        group, group);
    names += fmt::format("{}@group{}", group ? ", " : "", group);
  }
  return text + fmt::format("sbp.stages [{}]\n", names);
}

LogicalResult run(ModuleOp module, std::unique_ptr<mlir::Pass> pass) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(std::move(pass));
  return passes.run(module);
}

/// Marks of the stages of a model.
struct Asked {
  bool isSplit = false;  // sbp.split_backward
  Kept kept = Kept::All;
};

/// A model in stages, after differentiation. All its stages have what is
/// `asked`.
class StagedProgram {
 public:
  StagedProgram(TestContext& context, const Model& model, int64_t microBatches,
                Asked asked)
      : program_(context, groups() + model.text) {
    ModuleOp module = program_.module();
    mlir::Builder builder(module.getContext());
    for (auto entry : module.getOps<FuncOp>()) {
      if (entry.isPrivate()) continue;
      auto calls = llvm::to_vector(entry.getOps<CallOp>());
      auto numCalls = static_cast<int64_t>(calls.size());
      for (auto [index, call] : llvm::enumerate(calls))
        call->setAttr(kStageAttrName,
                      builder.getI64IntegerAttr(index * kNumStages / numCalls));
    }
    EXPECT_TRUE(succeeded(run(module, createCutStages()))) << program_.error();
    for (auto function : module.getOps<FuncOp>())
      if (function.getName().starts_with("loss.stage")) {
        if (asked.isSplit)
          function->setAttr(kSplitBackwardAttrName, builder.getUnitAttr());
        function->setAttr(kKeepAttrName,
                          KeepAttr::get(module.getContext(), asked.kept));
      }
    inputs_ = program_.randomArguments("loss", /*seed=*/2);
    DifferentiateOptions options;
    options.functionName = "loss";
    options.optimizerText = "#nn.sgd";
    options.microBatches = microBatches;
    EXPECT_TRUE(succeeded(run(module, createDifferentiate(options))))
        << program_.error();
    program_.parameters() = interpreter::initialParameters(module, /*seed=*/1);
  }

  ModuleOp module() { return program_.module(); }
  ParameterGradients gradients() {
    return gradientsByTraining(program_, inputs_);
  }

  /// Returns the functions of a kind that differentiation made for stages.
  /// Functions that the loss calls unchanged are left out.
  SmallVector<FuncOp> ofKind(TaskKind kind) {
    SmallVector<FuncOp> functions;
    for (auto function : module().getOps<FuncOp>())
      if (auto own = function->getAttrOfType<TaskKindAttr>(kKindAttrName);
          own && own.getValue() == kind &&
          !function.getName().ends_with(".part"))
        functions.push_back(function);
    return functions;
  }

  /// Returns the number of ops with operands, except for calls and returns, in
  /// the functions whose names contain `part`.
  int64_t numOps(StringRef part) {
    int64_t number = 0;
    for (auto function : module().getOps<FuncOp>())
      if (function.getName().contains(part))
        function.walk([&](Operation* op) {
          number +=
              op->getNumOperands() > 0 && !llvm::isa<CallOp, ReturnOp>(op);
        });
    return number;
  }

 private:
  Program program_;
  std::vector<interpreter::Tensor> inputs_;
};

void expectSame(const ParameterGradients& actual,
                const ParameterGradients& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [name, gradient] : expected) {
    auto other = actual.find(name);
    ASSERT_NE(other, actual.end()) << "@" << name;
    EXPECT_TRUE(other->second.isIdenticalTo(gradient)) << "of @" << name;
  }
}

/// Returns the ops of `function` that no gradient of an argument depends on.
SmallVector<Operation*> opsForWeights(FuncOp function) {
  mlir::Block& body = function.getBody().front();
  llvm::DenseSet<Value> needed;
  for (mlir::OpOperand& returned : body.getTerminator()->getOpOperands())
    if (function.getResultAttr(returned.getOperandNumber(),
                               nn::kGradientOfAttrName))
      needed.insert(returned.get());
  SmallVector<Operation*> others;
  for (Operation& op : llvm::reverse(body.without_terminator())) {
    if (llvm::any_of(op.getResults(),
                     [&](Value result) { return needed.contains(result); }))
      needed.insert_range(op.getOperands());
    else
      others.push_back(&op);
  }
  return others;
}

struct Case {
  Model model;
  int64_t microBatches;
};

struct Halves : testing::TestWithParam<Case> {
  StagedProgram staged(Asked asked = {}) {
    auto [model, microBatches] = GetParam();
    return StagedProgram(context, model, microBatches, asked);
  }

  TestContext context;
};

TEST_P(Halves, GiveTheGradientsOfTheWhole) {
  ParameterGradients expected = staged().gradients();
  EXPECT_FALSE(expected.empty());
  for (Kept kept : kAllKept)
    for (bool isSplit : {false, true})
      expectSame(staged({isSplit, kept}).gradients(), expected);
}

TEST_P(Halves, AreAllOfAStageAndNothingOfItTwice) {
  StagedProgram whole = staged();
  EXPECT_EQ(whole.ofKind(TaskKind::Forward).size(), kNumStages);
  EXPECT_EQ(whole.ofKind(TaskKind::Backward).size(), kNumStages);
  EXPECT_EQ(whole.ofKind(TaskKind::Input).size() +
                whole.ofKind(TaskKind::Weight).size() +
                whole.ofKind(TaskKind::Recompute).size(),
            0);

  StagedProgram halves = staged({/*isSplit=*/true});
  EXPECT_EQ(halves.ofKind(TaskKind::Forward).size(), kNumStages);
  EXPECT_EQ(halves.ofKind(TaskKind::Backward).size(), 0);
  EXPECT_EQ(halves.ofKind(TaskKind::Input).size(), kNumStages);
  EXPECT_EQ(halves.ofKind(TaskKind::Weight).size(), kNumStages);
  EXPECT_EQ(whole.numOps(".backward"), halves.numOps(".backward"));
  EXPECT_GT(halves.numOps(".backward.input"), 0);
  EXPECT_GT(halves.numOps(".backward.weight"), 0);
}

TEST_P(Halves, OfInputsDoNothingForWeightsAlone) {
  StagedProgram halves = staged({/*isSplit=*/true});
  int64_t numFunctions = 0;
  for (auto function : halves.module().getOps<FuncOp>()) {
    if (!function.getName().contains(".backward.input")) continue;
    ++numFunctions;
    EXPECT_TRUE(opsForWeights(function).empty()) << function.getName().str();
  }
  EXPECT_GE(numFunctions, kNumStages);
}

TEST_P(Halves, RecomputedForwardsSaveNothing) {
  StagedProgram recomputed = staged({/*isSplit=*/false, Kept::Inputs});
  EXPECT_EQ(recomputed.ofKind(TaskKind::Recompute).size(), kNumStages);
  for (FuncOp forward : recomputed.ofKind(TaskKind::Forward)) {
    StringRef stage = forward.getName();
    ASSERT_TRUE(stage.consume_back(".forward"));
    EXPECT_EQ(forward.getResultTypes(),
              recomputed.module().lookupSymbol<FuncOp>(stage).getResultTypes());
  }
  // A recomputation has no unused results.
  for (FuncOp again : recomputed.ofKind(TaskKind::Recompute))
    for (Operation& op : again.getBody().front().without_terminator())
      EXPECT_FALSE(op.use_empty()) << again.getName().str();
  // A recomputation comes right before its backward.
  recomputed.module().walk([&](CallOp call) {
    if (call.getCallee().contains(".recompute")) {
      auto next = llvm::dyn_cast<CallOp>(call->getNextNode());
      ASSERT_TRUE(next);
      EXPECT_TRUE(next.getCallee().contains(".backward"));
    }
  });
}

std::string nameOfCase(const testing::TestParamInfo<Case>& info) {
  return fmt::format("{}_{}", info.param.model.name, info.param.microBatches);
}

std::vector<Case> cases() {
  Model gpt = {"gpt", read("gpt_f64.mlir")},
        cnn = {"cnn", read("cnn_f64.mlir")};
  return {{{"perceptron", kPerceptron}, 1},
          {{"nested", kNested}, 1},
          {{"nested", kNested}, 2},
          {gpt, 1},
          {gpt, 2},
          {cnn, 1},
          {cnn, 2}};
}

INSTANTIATE_TEST_SUITE_P(Models, Halves, testing::ValuesIn(cases()),
                         nameOfCase);

}  // namespace
}  // namespace sbp
