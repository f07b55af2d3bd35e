// Gradients through calls of functions, compared with central differences of
// the loss in double precision.

#include <string>

#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/testing/Gradients.h"

namespace sbp {
namespace {

using interpreter::Program;
using interpreter::TestContext;
using mlir::func::FuncOp;

struct LayersTest : testing::Test {
  /// Returns the number of functions whose names begin with `prefix`.
  static size_t numFunctions(Program& program, StringRef prefix) {
    return llvm::count_if(program.module().getOps<FuncOp>(),
                          [&](FuncOp function) {
                            return function.getName().starts_with(prefix);
                          });
  }

  TestContext context;
};

TEST_F(LayersTest, ALayerCalledOftenIsDifferentiatedOnce) {
  Program program(context, R"(
    nn.parameter @v : tensor<3x4xf64> = #nn.normal<0.5>
    nn.parameter @w : tensor<4x3xf64> = #nn.normal<0.5>
    nn.parameter @h : tensor<2x3xf64> = #nn.normal<0.5>
    func.func private @layer(%x: tensor<2x3xf64>, %v: tensor<3x4xf64>,
                             %w: tensor<4x3xf64>) -> tensor<2x3xf64> {
      %h = nn.einsum "bi,ij->bj" %x, %v
         : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
      %a = nn.gelu %h : tensor<2x4xf64>
      %y = nn.einsum "bj,jk->bk" %a, %w
         : (tensor<2x4xf64>, tensor<4x3xf64>) -> tensor<2x3xf64>
      %r = nn.add %x, %y
         : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
      return %r : tensor<2x3xf64>
    }
    func.func @loss(%t: tensor<2x3xf64>) -> tensor<f64>
        attributes {nn.optimizer = #nn.sgd} {
      %v = nn.get @v : tensor<3x4xf64>
      %w = nn.get @w : tensor<4x3xf64>
      %h0 = nn.get @h : tensor<2x3xf64>
      %h1 = call @layer(%h0, %v, %w)
          : (tensor<2x3xf64>, tensor<3x4xf64>, tensor<4x3xf64>) -> tensor<2x3xf64>
      %h2 = call @layer(%h1, %v, %w)
          : (tensor<2x3xf64>, tensor<3x4xf64>, tensor<4x3xf64>) -> tensor<2x3xf64>
      %h3 = call @layer(%h2, %v, %w)
          : (tensor<2x3xf64>, tensor<3x4xf64>, tensor<4x3xf64>) -> tensor<2x3xf64>
      %loss = nn.mse %h3, %t : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<f64>
      return %loss : tensor<f64>
    })");
  expectGradientsOfDifferences(program);
  EXPECT_EQ(numFunctions(program, "layer"), 3);
}

TEST_F(LayersTest, CallsThatNeedOtherGradientsGetFunctionsOfTheirOwn) {
  Program program(context, R"(
    nn.parameter @w : tensor<3x3xf64> = #nn.normal<0.7>
    func.func private @layer(%x: tensor<2x3xf64>, %w: tensor<3x3xf64>)
        -> (tensor<2x3xf64>, tensor<2xf64>) {
      %h = nn.einsum "bi,ij->bj" %x, %w
         : (tensor<2x3xf64>, tensor<3x3xf64>) -> tensor<2x3xf64>
      %y = nn.tanh %h : tensor<2x3xf64>
      %s = nn.reduce mean %h over [1] : tensor<2x3xf64> -> tensor<2xf64>
      return %y, %s : tensor<2x3xf64>, tensor<2xf64>
    }
    func.func @loss(%x: tensor<2x3xf64>, %t: tensor<2x3xf64>) -> tensor<f64>
        attributes {nn.optimizer = #nn.sgd} {
      %w = nn.get @w : tensor<3x3xf64>
      %h1:2 = call @layer(%x, %w)
          : (tensor<2x3xf64>, tensor<3x3xf64>) -> (tensor<2x3xf64>, tensor<2xf64>)
      %h2:2 = call @layer(%h1#0, %w)
          : (tensor<2x3xf64>, tensor<3x3xf64>) -> (tensor<2x3xf64>, tensor<2xf64>)
      %h3:2 = call @layer(%h2#0, %w)
          : (tensor<2x3xf64>, tensor<3x3xf64>) -> (tensor<2x3xf64>, tensor<2xf64>)
      %m = nn.mse %h3#0, %t : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<f64>
      %s = nn.reduce sum %h3#1 over [0] : tensor<2xf64> -> tensor<f64>
      %loss = nn.add %m, %s : (tensor<f64>, tensor<f64>) -> tensor<f64>
      return %loss : tensor<f64>
    })");
  expectGradientsOfDifferences(program);
  // One pair with gradients of the weights only, one also of the input, and one
  // also with the second result used.
  EXPECT_EQ(numFunctions(program, "layer.backward"), 3);
  EXPECT_EQ(numFunctions(program, "layer.forward"), 3);
}

TEST_F(LayersTest, NestedLayersHandWhatTheySavedOutwards) {
  Program program(context, R"(
    nn.parameter @w : tensor<3x3xf64> = #nn.normal<0.7>
    nn.parameter @g : tensor<3xf64> = #nn.ones
    func.func private @inner(%x: tensor<2x3xf64>, %w: tensor<3x3xf64>)
        -> tensor<2x3xf64> {
      %h = nn.einsum "bi,ij->bj" %x, %w
         : (tensor<2x3xf64>, tensor<3x3xf64>) -> tensor<2x3xf64>
      %s = nn.sigmoid %h : tensor<2x3xf64>
      %y = nn.mul %s, %h
         : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
      return %y : tensor<2x3xf64>
    }
    func.func private @outer(%x: tensor<2x3xf64>, %w: tensor<3x3xf64>,
                             %g: tensor<3xf64>) -> tensor<2x3xf64> {
      %n = nn.rms_norm %x, %g : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
      %a = call @inner(%n, %w)
         : (tensor<2x3xf64>, tensor<3x3xf64>) -> tensor<2x3xf64>
      %b = call @inner(%a, %w)
         : (tensor<2x3xf64>, tensor<3x3xf64>) -> tensor<2x3xf64>
      %y = nn.add %b, %x : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
      return %y : tensor<2x3xf64>
    }
    func.func @loss(%x: tensor<2x3xf64>, %t: tensor<2x3xf64>) -> tensor<f64>
        attributes {nn.optimizer = #nn.sgd} {
      %w = nn.get @w : tensor<3x3xf64>
      %g = nn.get @g : tensor<3xf64>
      %h1 = call @outer(%x, %w, %g)
          : (tensor<2x3xf64>, tensor<3x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
      %h2 = call @outer(%h1, %w, %g)
          : (tensor<2x3xf64>, tensor<3x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
      %loss = nn.mse %h2, %t : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<f64>
      return %loss : tensor<f64>
    })");
  expectGradientsOfDifferences(program);
  EXPECT_EQ(numFunctions(program, "inner.backward"), 1);
  EXPECT_EQ(numFunctions(program, "outer.backward"), 2);
}

TEST_F(LayersTest, GradientsOfTiedParametersAddUp) {
  Program program(context, R"(
    nn.parameter @table : tensor<5x3xf64> = #nn.normal<0.7>
    func.func private @head(%x: tensor<4x3xf64>) -> tensor<4x5xf64> {
      %table = nn.get @table : tensor<5x3xf64>
      %y = nn.einsum "bi,vi->bv" %x, %table
         : (tensor<4x3xf64>, tensor<5x3xf64>) -> tensor<4x5xf64>
      return %y : tensor<4x5xf64>
    }
    func.func @loss(%tokens: tensor<4xi32>, %targets: tensor<4xi32>) -> tensor<f64>
        attributes {nn.optimizer = #nn.sgd} {
      %table = nn.get @table : tensor<5x3xf64>
      %again = nn.get @table : tensor<5x3xf64>
      %e = nn.embedding %table, %tokens
         : (tensor<5x3xf64>, tensor<4xi32>) -> tensor<4x3xf64>
      %f = nn.embedding %again, %targets
         : (tensor<5x3xf64>, tensor<4xi32>) -> tensor<4x3xf64>
      %x = nn.mul %e, %f : (tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
      %logits = call @head(%x) : (tensor<4x3xf64>) -> tensor<4x5xf64>
      %loss = nn.cross_entropy %logits, %targets
            : (tensor<4x5xf64>, tensor<4xi32>) -> tensor<f64>
      return %loss : tensor<f64>
    })");
  expectGradientsOfDifferences(program);
}

TEST_F(LayersTest, AParameterThatOnlyALayerReadsIsTrained) {
  Program program(context, R"(
    nn.parameter @b : tensor<3xf64> = #nn.normal<0.7>
    func.func private @layer(%x: tensor<3xf64>) -> tensor<3xf64> {
      %b = nn.get @b : tensor<3xf64>
      %y = nn.mul %x, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      return %y : tensor<3xf64>
    }
    func.func @loss(%x: tensor<3xf64>) -> tensor<f64>
        attributes {nn.optimizer = #nn.sgd} {
      %y = call @layer(%x) : (tensor<3xf64>) -> tensor<3xf64>
      %z = call @layer(%y) : (tensor<3xf64>) -> tensor<3xf64>
      %loss = nn.mse %z, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
      return %loss : tensor<f64>
    })");
  expectGradientsOfDifferences(program);
}

TEST_F(LayersTest, OneValueForTwoArgumentsAndTwoResults) {
  Program program(context, R"(
    nn.parameter @w : tensor<3xf64> = #nn.normal<0.7>
    func.func private @layer(%x: tensor<3xf64>, %y: tensor<3xf64>)
        -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
      %p = nn.mul %x, %y : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      return %p, %x, %p : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
    }
    func.func @loss(%t: tensor<3xf64>) -> tensor<f64>
        attributes {nn.optimizer = #nn.sgd} {
      %w = nn.get @w : tensor<3xf64>
      %r:3 = call @layer(%w, %w)
          : (tensor<3xf64>, tensor<3xf64>)
          -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>)
      %a = nn.mul %r#0, %r#1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      %b = nn.mul %a, %r#2 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      %loss = nn.mse %b, %t : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
      return %loss : tensor<f64>
    })");
  expectGradientsOfDifferences(program);
}

TEST_F(LayersTest, FrozenParametersStateAndUnusedOnesStayAsTheyAre) {
  Program program(context, R"(
    nn.parameter @w : tensor<3xf64> = #nn.ones
    nn.parameter @frozen : tensor<3xf64> = #nn.normal<1.0> {frozen}
    nn.parameter @state : tensor<3xf64> = #nn.ones {state}
    nn.parameter @unused : tensor<3xf64> = #nn.ones
    func.func @loss(%x: tensor<3xf64>) -> tensor<f64>
        attributes {nn.optimizer = #nn.sgd<weight_decay = 0.5>} {
      %w = nn.get @w : tensor<3xf64>
      %frozen = nn.get @frozen : tensor<3xf64>
      %state = nn.get @state : tensor<3xf64>
      %f = nn.tanh %frozen : tensor<3xf64>
      %a = nn.mul %w, %f : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      %b = nn.add %a, %state : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      %loss = nn.mse %b, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
      return %loss : tensor<f64>
    })");
  std::vector<interpreter::Tensor> inputs = program.randomArguments("loss", 2);
  ASSERT_TRUE(succeeded(differentiate(program))) << program.error();
  ParameterGradients changes = gradientsByTraining(program, inputs);
  ASSERT_EQ(changes.size(), 1);
  EXPECT_EQ(changes.begin()->first, "w");
  // Ops that depend on constants alone are not differentiated.
  for (auto tanh :
       program.module().lookupSymbol<FuncOp>("train_step").getOps<nn::TanhOp>())
    EXPECT_FALSE(tanh->hasAttr("nn.id"));
}

TEST_F(LayersTest, TrainingReturnsTheLossBeforeTheStep) {
  Program program(context, R"(
    nn.parameter @w : tensor<3xf64> = #nn.normal<1.0>
    func.func @loss(%x: tensor<3xf64>) -> tensor<f64>
        attributes {nn.optimizer = #nn.adamw} {
      %w = nn.get @w : tensor<3xf64>
      %loss = nn.mse %w, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
      return %loss : tensor<f64>
    })");
  std::vector<interpreter::Tensor> inputs = program.randomArguments("loss", 2);
  ASSERT_TRUE(succeeded(differentiate(program))) << program.error();
  double evaluated = program.run("loss", inputs)->front().scalar();
  auto scalar =
      RankedTensorType::get({}, mlir::Float32Type::get(context.get()));
  inputs.push_back(interpreter::Tensor::splat(scalar, 0.5));
  EXPECT_EQ(program.run("train_step", inputs)->front().scalar(), evaluated);
  inputs.pop_back();
  EXPECT_LT(program.run("loss", inputs)->front().scalar(), evaluated);
}

}  // namespace
}  // namespace sbp
