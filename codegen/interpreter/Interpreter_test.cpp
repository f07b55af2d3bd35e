// Tests single ops and functions: against numbers that are easily checked, and
// against the same computation by other ops.

#include "codegen/interpreter/Interpreter.h"

#include <cmath>

#include "codegen/interpreter/testing/Programs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::interpreter {
namespace {

using testing::HasSubstr;

class InterpreterTest : public testing::Test {
 protected:
  /// Returns the result, as text, of a function @f without arguments whose body
  /// is `body`.
  std::string resultOf(const std::string& resultType, const std::string& body) {
    Program program(context_, "func.func @f() -> " + resultType + " {" + body +
                                  "return %r : " + resultType + "}");
    auto results = program.run("f", {});
    return succeeded(results) ? results->front().str() : program.error();
  }

  TestContext context_;
};

TEST_F(InterpreterTest, RoundsOnceToTheElementType) {
  Type f32 = mlir::Float32Type::get(context_.get());
  Type bf16 = mlir::BFloat16Type::get(context_.get());
  std::vector<double> third = {1.0 / 3};
  EXPECT_EQ(Tensor(RankedTensorType::get({}, f32), third).scalar(), 1.0f / 3);
  EXPECT_EQ(Tensor(RankedTensorType::get({}, bf16), third).scalar(),
            0.333984375);
  EXPECT_EQ(resultOf("tensor<i32>", R"(
    %a = nn.constant dense<2147483647> : tensor<i32>
    %r = nn.add %a, %a : (tensor<i32>, tensor<i32>) -> tensor<i32>)"),
            "-2");
}

TEST_F(InterpreterTest, BroadcastsAsNumPyDoes) {
  EXPECT_EQ(resultOf("tensor<2x3xf32>", R"(
    %a = nn.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
    %b = nn.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %r = nn.sub %a, %b : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>)"),
            "[[9, 8, 7], [19, 18, 17]]");
}

TEST_F(InterpreterTest, ContractsLettersThatTheResultLacks) {
  EXPECT_EQ(resultOf("tensor<2x2xf32>", R"(
    %a = nn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %b = nn.constant dense<[[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]]> : tensor<2x3xf32>
    %r = nn.einsum "bi,ji->jb" %a, %b
       : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>)"),
            "[[7, 16], [-1, -1]]");
}

TEST_F(InterpreterTest, ReducesToTheNeutralElementOfNothing) {
  EXPECT_EQ(resultOf("tensor<2xf32>", R"(
    %a = nn.constant dense<> : tensor<2x0xf32>
    %r = nn.reduce max %a over [1] : tensor<2x0xf32> -> tensor<2xf32>)"),
            "[-inf, -inf]");
  EXPECT_EQ(resultOf("tensor<2x1xi32>", R"(
    %a = nn.constant dense<[[3, -4], [1, 1]]> : tensor<2x2xi32>
    %r = nn.reduce min %a over [1] keep : tensor<2x2xi32> -> tensor<2x1xi32>)"),
            "[[-4], [1]]");
}

TEST_F(InterpreterTest, RearrangesElements) {
  EXPECT_EQ(resultOf("tensor<4x2xi32>", R"(
    %i = nn.iota dim 1 : () -> tensor<2x3xi32>
    %p = nn.pad %i [0, 0] [0, 1] : tensor<2x3xi32> -> tensor<2x4xi32>
    %r = nn.transpose %p [1, 0] : tensor<2x4xi32> -> tensor<4x2xi32>)"),
            "[[0, 0], [1, 1], [2, 2], [0, 0]]");
  EXPECT_EQ(resultOf("tensor<3xi32>", R"(
    %i = nn.iota dim 0 : () -> tensor<4xi32>
    %s = nn.slice %i [2] [2] : tensor<4xi32> -> tensor<2xi32>
    %z = nn.constant dense<7> : tensor<1xi32>
    %r = nn.concat %z, %s dim 0
       : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>)"),
            "[7, 2, 3]");
  for (auto [index, part] :
       {std::pair("1", "[2, 5]"), std::pair("-4", "[1, 4]"),
        std::pair("9", "[3, 6]")})
    EXPECT_EQ(resultOf("tensor<2xi32>", std::string(R"(
    %x = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
    %k = nn.constant dense<)") + index + R"(> : tensor<i64>
    %r = nn.part %k of %x dim 1 : (tensor<i64>, tensor<2x3xi32>) -> tensor<2xi32>)"),
              part);
}

TEST_F(InterpreterTest, LooksUpZerosOutsideTheTable) {
  EXPECT_EQ(resultOf("tensor<3x2xf32>", R"(
    %t = nn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %i = nn.constant dense<[5, 6, 4]> : tensor<3xi32>
    %first = nn.constant dense<5> : tensor<i64>
    %r = nn.embedding %t, %i from %first
       : (tensor<2x2xf32>, tensor<3xi32>, tensor<i64>) -> tensor<3x2xf32>)"),
            "[[1, 2], [3, 4], [0, 0]]");
}

TEST_F(InterpreterTest, SaturatesFloatsThatNoIntegerReaches) {
  EXPECT_EQ(resultOf("tensor<4xi64>", R"(
    %a = nn.constant dense<[1.0e30, -1.0e30, -2.9, 0x7FC00000]> : tensor<4xf32>
    %r = nn.cast %a : tensor<4xf32> -> tensor<4xi64>)"),
            "[9223372036854775807, -9223372036854775808, -2, 0]");
}

TEST_F(InterpreterTest, DividesIntegersTowardZero) {
  EXPECT_EQ(resultOf("tensor<4xi32>", R"(
    %a = nn.constant dense<[7, -7, 5, -2147483648]> : tensor<4xi32>
    %b = nn.constant dense<[2, 2, 0, -1]> : tensor<4xi32>
    %r = nn.div %a, %b : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>)"),
            "[3, -3, 0, -2147483648]");
}

TEST_F(InterpreterTest, ALabelThatIsNoClassMakesTheLossNaN) {
  EXPECT_EQ(resultOf("tensor<f32>", R"(
    %x = nn.constant dense<0.0> : tensor<2x3xf32>
    %labels = nn.constant dense<[2, 3]> : tensor<2xi32>
    %r = nn.cross_entropy %x, %labels
       : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<f32>)"),
            "nan");
}

TEST_F(InterpreterTest, AttentionIsSoftmaxBetweenTwoContractions) {
  Program program(context_, R"(
    func.func @f(%q: tensor<2x3x4xf64>, %k: tensor<2x5x4xf64>,
                 %v: tensor<2x5x2xf64>)
        -> (tensor<2x3x2xf64>, tensor<2x3x2xf64>) {
      %fused = nn.attention causal %q, %k, %v {scale = 0.5 : f64}
        : (tensor<2x3x4xf64>, tensor<2x5x4xf64>, tensor<2x5x2xf64>)
        -> tensor<2x3x2xf64>

      %scores = nn.einsum "htd,hsd->hts" %q, %k
        : (tensor<2x3x4xf64>, tensor<2x5x4xf64>) -> tensor<2x3x5xf64>
      %half = nn.constant dense<0.5> : tensor<f64>
      %scaled = nn.mul %scores, %half
        : (tensor<2x3x5xf64>, tensor<f64>) -> tensor<2x3x5xf64>
      // Row t attends to columns 0, ..., t + 2.
      %row = nn.constant dense<[[2], [3], [4]]> : tensor<3x1xi32>
      %column = nn.iota dim 1 : () -> tensor<1x5xi32>
      %seen = nn.compare le %column, %row
        : (tensor<1x5xi32>, tensor<3x1xi32>) -> tensor<3x5xi1>
      %never = nn.constant dense<0xFFF0000000000000> : tensor<f64>
      %masked = nn.select %seen, %scaled, %never
        : (tensor<3x5xi1>, tensor<2x3x5xf64>, tensor<f64>) -> tensor<2x3x5xf64>
      %weights = nn.softmax %masked dim 2 : tensor<2x3x5xf64>
      %composed = nn.einsum "hts,hse->hte" %weights, %v
        : (tensor<2x3x5xf64>, tensor<2x5x2xf64>) -> tensor<2x3x2xf64>
      return %fused, %composed : tensor<2x3x2xf64>, tensor<2x3x2xf64>
    })");
  auto results = program.run("f", program.randomArguments("f", /*seed=*/1));
  ASSERT_TRUE(succeeded(results)) << program.error();
  EXPECT_THAT((*results)[0], IsCloseTo((*results)[1], 1e-13));
}

// ---- Functions --------------------------------------------------------------

TEST_F(InterpreterTest, SetsParametersForTheNextRun) {
  Program program(context_, R"(
    nn.parameter @w : tensor<2xf32> = #nn.constant<1.5>
    func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = nn.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    }
    func.func @f() -> tensor<2xf32> {
      %w = nn.get @w : tensor<2xf32>
      %y = call @twice(%w) : (tensor<2xf32>) -> tensor<2xf32>
      nn.set @w, %y : tensor<2xf32>
      return %y : tensor<2xf32>
    })");
  EXPECT_EQ(program.run("f", {})->front().str(), "[3, 3]");
  EXPECT_EQ(program.run("f", {})->front().str(), "[6, 6]");
}

TEST_F(InterpreterTest, RecursionIsADiagnostic) {
  Program program(context_, R"(
    func.func @f() {
      call @f() : () -> ()
      return
    })");
  EXPECT_TRUE(failed(program.run("f", {})));
  EXPECT_THAT(program.error(), HasSubstr("'func.func' op calls itself"));
}

TEST_F(InterpreterTest, ArgumentsOfAnotherTypeAreADiagnostic) {
  Program program(context_, R"(
    func.func @f(%x: tensor<2xf32>) {
      return
    })");
  auto type =
      RankedTensorType::get({3}, mlir::Float32Type::get(context_.get()));
  EXPECT_TRUE(failed(program.run("f", {Tensor::splat(type, 0)})));
  EXPECT_THAT(program.error(),
              HasSubstr("argument 0 is declared as 'tensor<2xf32>' but is a "
                        "'tensor<3xf32>'"));
}

TEST_F(InterpreterTest, AnOpIsEvaluatedByTheRowThatIsAdded) {
  Program program(context_, R"(
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = "mine.negate"(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    })");
  auto arguments = program.randomArguments("f", /*seed=*/1);
  EXPECT_TRUE(failed(program.run("f", arguments)));
  EXPECT_THAT(program.error(), HasSubstr("'mine.negate' op has no evaluator"));

  program.evaluators().add(
      "mine.negate",
      [](Operation* op, ArrayRef<Tensor> operands) -> FailureOr<Results> {
        std::vector<double> elements;
        for (double element : operands[0].floats())
          elements.push_back(-element);
        return Results{Tensor(resultType(op), elements)};
      });
  auto results = program.run("f", arguments);
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(results->front().floats()[0], -arguments[0].floats()[0]);
}

TEST_F(InterpreterTest, InitialValuesDependOnNameAndSeed) {
  Program program(context_, R"(
    nn.parameter @a : tensor<1000xf32> = #nn.normal<0.5>
    nn.parameter @b : tensor<1000xf32> = #nn.uniform<1.0, 2.0>
    nn.parameter @c : tensor<1000xf32> = #nn.normal<0.5>)");
  Parameters first = initialParameters(program.module(), /*seed=*/1);
  Parameters second = initialParameters(program.module(), /*seed=*/2);
  EXPECT_FALSE(first["a"].isIdenticalTo(first["c"]));
  EXPECT_FALSE(first["a"].isIdenticalTo(second["a"]));

  double square = 0, mean = 0;
  for (double a : first["a"].floats()) square += a * a / 1000;
  for (double b : first["b"].floats()) mean += b / 1000;
  EXPECT_NEAR(std::sqrt(square), 0.5, 0.05);
  EXPECT_NEAR(mean, 1.5, 0.05);
}

}  // namespace
}  // namespace sbp::interpreter
