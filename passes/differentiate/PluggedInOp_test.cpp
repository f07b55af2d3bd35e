// Tests an op that the project does not know and that implements its own
// adjoint: it is differentiated like any other op.

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/Nn.h"
#include "gtest/gtest.h"
#include "mlir/IR/OpDefinition.h"
#include "passes/differentiate/testing/Gradients.h"

namespace sbp {
namespace {

using interpreter::Program;
using interpreter::Results;
using interpreter::Tensor;
using interpreter::TestContext;

/// An op with two results: the sine of x, and half of x.
class SineAndHalfOp : public mlir::Op<SineAndHalfOp, mlir::OpTrait::OneOperand,
                                      mlir::OpTrait::NResults<2>::Impl,
                                      nn::DifferentiableOpInterface::Trait> {
 public:
  using Op::Op;

  static StringRef getOperationName() { return "trial.sine_and_half"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  LogicalResult buildAdjoint(OpBuilder& builder, ValueRange resultGradients,
                             llvm::MutableArrayRef<Value> operandGradients) {
    Location location = getLoc();
    auto type = llvm::cast<RankedTensorType>(getOperand().getType());
    // cos(x) = sin(x + pi / 2)
    auto constant = [&](double value) -> Value {
      return nn::ConstantOp::create(
          builder, location, type,
          mlir::DenseElementsAttr::get(type, llvm::APFloat(value)));
    };
    Value shifted =
        nn::AddOp::create(builder, location, getOperand(), constant(M_PI / 2));
    auto cosine = SineAndHalfOp::create(builder, location, shifted);
    Value ofSine = nn::MulOp::create(builder, location, resultGradients[0],
                                     cosine->getResult(0));
    Value ofHalf =
        nn::MulOp::create(builder, location, resultGradients[1], constant(0.5));
    operandGradients[0] = nn::AddOp::create(builder, location, ofSine, ofHalf);
    return success();
  }

  static SineAndHalfOp create(OpBuilder& builder, Location location,
                              Value operand) {
    mlir::OperationState state(location, getOperationName());
    state.addOperands(operand);
    state.addTypes({operand.getType(), operand.getType()});
    return llvm::cast<SineAndHalfOp>(builder.create(state));
  }
};

/// An op whose adjoint has the wrong type.
class WrongOp : public mlir::Op<WrongOp, mlir::OpTrait::OneOperand,
                                mlir::OpTrait::OneResult,
                                nn::DifferentiableOpInterface::Trait> {
 public:
  using Op::Op;

  static StringRef getOperationName() { return "trial.wrong"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  LogicalResult buildAdjoint(OpBuilder& builder, ValueRange resultGradients,
                             llvm::MutableArrayRef<Value> operandGradients) {
    operandGradients[0] = nn::ReduceOp::create(
        builder, getLoc(), nn::ReduceKind::Sum, resultGradients[0],
        ArrayRef<int64_t>{0}, /*keep=*/false, /*count=*/nullptr);
    return success();
  }
};

/// The product of two tensors. Its adjoint leaves out the gradient of the
/// second operand. A product with the attribute `declared` declares that.
class ForgetfulOp
    : public mlir::Op<ForgetfulOp, mlir::OpTrait::NOperands<2>::Impl,
                      mlir::OpTrait::OneResult,
                      nn::DifferentiableOpInterface::Trait> {
 public:
  using Op::Op;

  static StringRef getOperationName() { return "trial.forgetful"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  LogicalResult buildAdjoint(OpBuilder& builder, ValueRange resultGradients,
                             llvm::MutableArrayRef<Value> operandGradients) {
    operandGradients[0] =
        nn::MulOp::create(builder, getLoc(), resultGradients[0], getOperand(1));
    return success();
  }

  bool hasGradientFor(unsigned operand) {
    return operand == 0 || !(*this)->hasAttr("declared");
  }
};

class TrialDialect : public mlir::Dialect {
 public:
  explicit TrialDialect(MLIRContext* context)
      : Dialect(getDialectNamespace(), context,
                mlir::TypeID::get<TrialDialect>()) {
    addOperations<SineAndHalfOp, WrongOp, ForgetfulOp>();
  }
  static StringRef getDialectNamespace() { return "trial"; }
};

struct PluggedInOpTest : testing::Test {
  PluggedInOpTest() { context.get()->getOrLoadDialect<TrialDialect>(); }

  TestContext context;
};

FailureOr<Results> sineAndHalf(Operation*, ArrayRef<Tensor> operands) {
  std::vector<double> sine, half;
  for (double x : operands[0].floats()) {
    sine.push_back(std::sin(x));
    half.push_back(x / 2);
  }
  return Results{Tensor(operands[0].type(), sine),
                 Tensor(operands[0].type(), half)};
}

TEST_F(PluggedInOpTest, IsDifferentiatedAlsoWhereAResultIsUnused) {
  for (std::string used : {"%both#0, %both#1", "%both#0, %t", "%t, %both#1"}) {
    Program program(
        context, R"(
      nn.parameter @w : tensor<3xf64> = #nn.normal<1.0>
      func.func @loss(%t: tensor<3xf64>) -> tensor<f64>
          attributes {nn.optimizer = #nn.sgd} {
        %w = nn.get @w : tensor<3xf64>
        %both:2 = "trial.sine_and_half"(%w)
                : (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
        %loss = nn.mse )" +
                     used + R"( : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
        return %loss : tensor<f64>
      })");
    program.evaluators().add("trial.sine_and_half", sineAndHalf);
    expectGradientsOfDifferences(program);
  }
}

TEST_F(PluggedInOpTest, IsToldWhenItsGradientDoesNotFit) {
  Program program(context, R"(
    nn.parameter @w : tensor<3xf64> = #nn.normal<1.0>
    func.func @loss(%t: tensor<3xf64>) -> tensor<f64>
        attributes {nn.optimizer = #nn.sgd} {
      %w = nn.get @w : tensor<3xf64>
      %x = "trial.wrong"(%w) : (tensor<3xf64>) -> tensor<3xf64>
      %loss = nn.mse %x, %t : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
      return %loss : tensor<f64>
    })");
  EXPECT_TRUE(failed(differentiate(program)));
  EXPECT_THAT(program.error(),
              testing::HasSubstr(
                  "'trial.wrong' op has an operand of type 'tensor<3xf64>', to "
                  "which its adjoint gives a gradient of type 'tensor<f64>'"));
}

/// Returns a program whose loss is a `trial.forgetful` of `operands`, which are
/// parameters %w and %v and input %t, with `attributes`.
std::string forgetfulLossOf(StringRef operands, StringRef attributes) {
  return (llvm::Twine(R"(
    nn.parameter @w : tensor<3xf64> = #nn.normal<1.0>
    nn.parameter @v : tensor<3xf64> = #nn.normal<1.0>
    func.func @loss(%t: tensor<3xf64>) -> tensor<f64>
        attributes {nn.optimizer = #nn.sgd} {
      %w = nn.get @w : tensor<3xf64>
      %v = nn.get @v : tensor<3xf64>
      %x = "trial.forgetful"()") +
          operands + ")" + attributes +
          R"( : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      %loss = nn.mse %x, %t : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
      return %loss : tensor<f64>
    })")
      .str();
}

TEST_F(PluggedInOpTest, MayNotForgetTheGradientOfAnOperand) {
  Program program(context, forgetfulLossOf("%w, %v", ""));
  EXPECT_TRUE(failed(differentiate(program)));
  EXPECT_THAT(program.error(),
              testing::HasSubstr(
                  "'trial.forgetful' op has an adjoint that leaves out the "
                  "gradient of operand 1, 'tensor<3xf64>', and the loss "
                  "depends on a parameter through it; buildAdjoint must set "
                  "it, or hasGradientFor(1) be false"));
}

TEST_F(PluggedInOpTest, MayDeclareThatAnOperandHasNoGradient) {
  Program program(context, forgetfulLossOf("%w, %v", "{declared}"));
  EXPECT_TRUE(succeeded(differentiate(program))) << program.error();
}

TEST_F(PluggedInOpTest, NeedsNoGradientForWhatNoParameterReaches) {
  Program program(context, forgetfulLossOf("%w, %t", ""));
  EXPECT_TRUE(succeeded(differentiate(program))) << program.error();
}

}  // namespace
}  // namespace sbp
