// Every op's adjoint, compared with central differences in double precision.
// The loss is sum(weights * f(parameters)) with random weights.

#include "passes/differentiate/adjoints/Adjoints.h"

#include <ostream>
#include <string>
#include <vector>

#include "codegen/interpreter/testing/Instances.h"
#include "dialects/nn/DifferentiableOp.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/differentiate/testing/Gradients.h"

namespace sbp {
namespace {

using interpreter::Program;
using interpreter::TestContext;

/// An op under test: `body` computes %y of type `result` from the parameters
/// %a, %b, ..., which have the types `parameters`.
struct AdjointCase {
  const char* name;
  std::vector<const char*> parameters;
  const char* result;
  const char* body;
  const char* initializer = "#nn.normal<1.0>";
};

void PrintTo(const AdjointCase& test, std::ostream* stream) {
  *stream << test.body;
}

const AdjointCase kCases[] = {
    // ---- One operand --------------------------------------------------------
    {"Neg",
     {"tensor<3x4xf64>"},
     "tensor<3x4xf64>",
     "%y = nn.neg %a : tensor<3x4xf64>"},
    {"Exp",
     {"tensor<5xf64>"},
     "tensor<5xf64>",
     "%y = nn.exp %a : tensor<5xf64>"},
    {"Log",
     {"tensor<5xf64>"},
     "tensor<5xf64>",
     "%y = nn.log %a : tensor<5xf64>",
     "#nn.uniform<0.5, 2.0>"},
    {"Sqrt",
     {"tensor<5xf64>"},
     "tensor<5xf64>",
     "%y = nn.sqrt %a : tensor<5xf64>",
     "#nn.uniform<0.5, 2.0>"},
    {"Rsqrt",
     {"tensor<5xf64>"},
     "tensor<5xf64>",
     "%y = nn.rsqrt %a : tensor<5xf64>",
     "#nn.uniform<0.5, 2.0>"},
    {"Tanh",
     {"tensor<5xf64>"},
     "tensor<5xf64>",
     "%y = nn.tanh %a : tensor<5xf64>"},
    {"Sigmoid",
     {"tensor<5xf64>"},
     "tensor<5xf64>",
     "%y = nn.sigmoid %a : tensor<5xf64>"},
    {"Relu",
     {"tensor<4x5xf64>"},
     "tensor<4x5xf64>",
     "%y = nn.relu %a : tensor<4x5xf64>"},
    {"Silu",
     {"tensor<5xf64>"},
     "tensor<5xf64>",
     "%y = nn.silu %a : tensor<5xf64>"},
    {"Gelu",
     {"tensor<5xf64>"},
     "tensor<5xf64>",
     "%y = nn.gelu %a : tensor<5xf64>"},
    {"GeluTanh",
     {"tensor<5xf64>"},
     "tensor<5xf64>",
     "%y = nn.gelu tanh %a : tensor<5xf64>"},
    {"UnaryOfScalar",
     {"tensor<f64>"},
     "tensor<f64>",
     "%y = nn.tanh %a : tensor<f64>"},
    {"UnaryOfNothing", {"tensor<2xf64>"}, "tensor<2xf64>", R"(
       %none = nn.slice %a [0] [0] : tensor<2xf64> -> tensor<0xf64>
       %t = nn.tanh %none : tensor<0xf64>
       %s = nn.reduce sum %t over [0] : tensor<0xf64> -> tensor<f64>
       %y = nn.add %a, %s : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>)"},

    // ---- Two and three operands ---------------------------------------------
    {"Add", {"tensor<3x4xf64>", "tensor<3x4xf64>"}, "tensor<3x4xf64>", R"(
       %y = nn.add %a, %b
          : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>)"},
    {"AddOfMissingDimensions",
     {"tensor<2x3x4xf64>", "tensor<4xf64>"},
     "tensor<2x3x4xf64>",
     R"(
       %y = nn.add %a, %b
          : (tensor<2x3x4xf64>, tensor<4xf64>) -> tensor<2x3x4xf64>)"},
    {"AddOfScalar", {"tensor<f64>", "tensor<2x3xf64>"}, "tensor<2x3xf64>", R"(
       %y = nn.add %a, %b
          : (tensor<f64>, tensor<2x3xf64>) -> tensor<2x3xf64>)"},
    {"AddBothRepeat",
     {"tensor<3x1xf64>", "tensor<2x1x4xf64>"},
     "tensor<2x3x4xf64>",
     R"(
       %y = nn.add %a, %b
          : (tensor<3x1xf64>, tensor<2x1x4xf64>) -> tensor<2x3x4xf64>)"},
    {"AddToItself",
     {"tensor<3xf64>"},
     "tensor<3xf64>",
     "%y = nn.add %a, %a : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>"},
    {"Sub", {"tensor<2x3xf64>", "tensor<2x1xf64>"}, "tensor<2x3xf64>", R"(
       %y = nn.sub %a, %b
          : (tensor<2x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>)"},
    {"Mul", {"tensor<2x3xf64>", "tensor<2x3xf64>"}, "tensor<2x3xf64>", R"(
       %y = nn.mul %a, %b
          : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>)"},
    {"MulBothRepeat",
     {"tensor<1x3xf64>", "tensor<2x1xf64>"},
     "tensor<2x3xf64>",
     R"(
       %y = nn.mul %a, %b
          : (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>)"},
    {"Square",
     {"tensor<5xf64>"},
     "tensor<5xf64>",
     "%y = nn.mul %a, %a : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>"},
    {"Div",
     {"tensor<2x3xf64>", "tensor<3xf64>"},
     "tensor<2x3xf64>",
     R"(
       %y = nn.div %a, %b
          : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>)",
     "#nn.uniform<0.5, 2.0>"},
    {"Max", {"tensor<2x3xf64>", "tensor<3xf64>"}, "tensor<2x3xf64>", R"(
       %y = nn.max %a, %b
          : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>)"},
    {"Min", {"tensor<2x3xf64>", "tensor<2x1xf64>"}, "tensor<2x3xf64>", R"(
       %y = nn.min %a, %b
          : (tensor<2x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>)"},
    {"Select", {"tensor<2x3xf64>", "tensor<f64>"}, "tensor<2x3xf64>", R"(
       %mask = nn.constant dense<[[true], [false]]> : tensor<2x1xi1>
       %y = nn.select %mask, %a, %b
          : (tensor<2x1xi1>, tensor<2x3xf64>, tensor<f64>) -> tensor<2x3xf64>)"},
    {"SelectByParameters",
     {"tensor<7xf64>", "tensor<7xf64>"},
     "tensor<7xf64>",
     R"(
       %mask = nn.compare gt %a, %b
             : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
       %y = nn.select %mask, %a, %b
          : (tensor<7xi1>, tensor<7xf64>, tensor<7xf64>) -> tensor<7xf64>)"},
    {"CastOfMask", {"tensor<7xf64>"}, "tensor<7xf64>", R"(
       %zero = nn.constant dense<0.0> : tensor<f64>
       %mask = nn.compare gt %a, %zero
             : (tensor<7xf64>, tensor<f64>) -> tensor<7xi1>
       %one = nn.cast %mask : tensor<7xi1> -> tensor<7xf64>
       %y = nn.mul %a, %one
          : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xf64>)"},
    {"CastOfSameType",
     {"tensor<7xf64>"},
     "tensor<7xf64>",
     "%y = nn.cast %a : tensor<7xf64> -> tensor<7xf64>"},

    // ---- Contractions -------------------------------------------------------
    {"EinsumMatrixProduct",
     {"tensor<3x5xf64>", "tensor<5x2xf64>"},
     "tensor<3x2xf64>",
     R"(
       %y = nn.einsum "bi,ij->bj" %a, %b
          : (tensor<3x5xf64>, tensor<5x2xf64>) -> tensor<3x2xf64>)"},
    {"EinsumBatchedAndPermuted",
     {"tensor<2x3x4xf64>", "tensor<4x5x2xf64>"},
     "tensor<5x2x3xf64>",
     R"(
       %y = nn.einsum "btd,dkb->kbt" %a, %b
          : (tensor<2x3x4xf64>, tensor<4x5x2xf64>) -> tensor<5x2x3xf64>)"},
    {"EinsumOuterProduct",
     {"tensor<3xf64>", "tensor<2xf64>"},
     "tensor<2x3xf64>",
     R"(
       %y = nn.einsum "i,j->ji" %a, %b
          : (tensor<3xf64>, tensor<2xf64>) -> tensor<2x3xf64>)"},
    {"EinsumInnerProduct",
     {"tensor<3x2xf64>", "tensor<2x3xf64>"},
     "tensor<f64>",
     R"(
       %y = nn.einsum "ij,ji->" %a, %b
          : (tensor<3x2xf64>, tensor<2x3xf64>) -> tensor<f64>)"},
    {"EinsumOfScalar", {"tensor<f64>", "tensor<4xf64>"}, "tensor<4xf64>", R"(
       %y = nn.einsum ",i->i" %a, %b
          : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>)"},
    {"EinsumWithItself", {"tensor<3x2xf64>"}, "tensor<3x3xf64>", R"(
       %y = nn.einsum "ik,jk->ij" %a, %a
          : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x3xf64>)"},
    {"Attention",
     {"tensor<2x3x4xf64>", "tensor<2x5x4xf64>", "tensor<2x5x3xf64>"},
     "tensor<2x3x3xf64>",
     R"(
       %y = nn.attention %a, %b, %c {scale = 0.5 : f64}
          : (tensor<2x3x4xf64>, tensor<2x5x4xf64>, tensor<2x5x3xf64>)
          -> tensor<2x3x3xf64>)"},
    {"AttentionCausal",
     {"tensor<4x3xf64>", "tensor<4x3xf64>", "tensor<4x3xf64>"},
     "tensor<4x3xf64>",
     R"(
       %y = nn.attention causal %a, %b, %c {scale = 0.7 : f64}
          : (tensor<4x3xf64>, tensor<4x3xf64>, tensor<4x3xf64>)
          -> tensor<4x3xf64>)"},
    {"AttentionToItself", {"tensor<4x3xf64>"}, "tensor<4x3xf64>", R"(
       %y = nn.attention causal %a, %a, %a {scale = 0.7 : f64}
          : (tensor<4x3xf64>, tensor<4x3xf64>, tensor<4x3xf64>)
          -> tensor<4x3xf64>)"},

    // ---- Windows ------------------------------------------------------------
    {"Convolution",
     {"tensor<2x3x5x4xf64>", "tensor<2x3x3x2xf64>"},
     "tensor<2x2x3x3xf64>",
     R"(
       %y = nn.convolution %a, %b
          : (tensor<2x3x5x4xf64>, tensor<2x3x3x2xf64>) -> tensor<2x2x3x3xf64>)"},
    {"ConvolutionStridedPaddedDilated",
     {"tensor<2x2x6x7xf64>", "tensor<3x2x2x3xf64>"},
     "tensor<2x3x3x4xf64>",
     R"(
       %y = nn.convolution %a, %b strides [3, 2] low [1, 2] high [2, 1]
            dilations [2, 1]
          : (tensor<2x2x6x7xf64>, tensor<3x2x2x3xf64>) -> tensor<2x3x3x4xf64>)"},
    {"ConvolutionOfSequences",
     {"tensor<2x3x6xf64>", "tensor<4x3x3xf64>"},
     "tensor<2x4x6xf64>",
     R"(
       %y = nn.convolution %a, %b low [2]
          : (tensor<2x3x6xf64>, tensor<4x3x3xf64>) -> tensor<2x4x6xf64>)"},

    {"PoolMax", {"tensor<2x3x5x6xf64>"}, "tensor<2x3x3x3xf64>", R"(
       %y = nn.pool max %a over [3, 2] strides [2, 2] low [1, 0] high [1, 1]
          : (tensor<2x3x5x6xf64>) -> tensor<2x3x3x3xf64>)"},
    {"PoolMin", {"tensor<1x2x7xf64>"}, "tensor<1x2x5xf64>", R"(
       %y = nn.pool min %a over [3] : (tensor<1x2x7xf64>) -> tensor<1x2x5xf64>)"},
    {"PoolMean", {"tensor<2x2x4x5xf64>"}, "tensor<2x2x3x4xf64>", R"(
       %y = nn.pool mean %a over [3, 2] low [0, 1] high [1, 0] dilations [1, 2]
          : (tensor<2x2x4x5xf64>) -> tensor<2x2x3x4xf64>)"},
    {"PoolSum", {"tensor<2x2x4x5xf64>"}, "tensor<2x2x2x2xf64>", R"(
       %y = nn.pool sum %a over [2, 2] strides [2, 2]
          : (tensor<2x2x4x5xf64>) -> tensor<2x2x2x2xf64>)"},

    // ---- Reductions ---------------------------------------------------------
    {"ReduceSum",
     {"tensor<2x3x4xf64>"},
     "tensor<3xf64>",
     "%y = nn.reduce sum %a over [0, 2] : tensor<2x3x4xf64> -> tensor<3xf64>"},
    {"ReduceSumKeeping", {"tensor<2x3x4xf64>"}, "tensor<2x1x4xf64>", R"(
       %y = nn.reduce sum %a over [1] keep
          : tensor<2x3x4xf64> -> tensor<2x1x4xf64>)"},
    {"ReduceNothing",
     {"tensor<2x3xf64>"},
     "tensor<2x3xf64>",
     "%y = nn.reduce sum %a over [] : tensor<2x3xf64> -> tensor<2x3xf64>"},
    {"ReduceMean",
     {"tensor<2x3x4xf64>"},
     "tensor<4xf64>",
     "%y = nn.reduce mean %a over [0, 1] : tensor<2x3x4xf64> -> tensor<4xf64>"},
    {"ReduceMax",
     {"tensor<2x3x4xf64>"},
     "tensor<2xf64>",
     "%y = nn.reduce max %a over [1, 2] : tensor<2x3x4xf64> -> tensor<2xf64>"},
    {"ReduceMinKeeping", {"tensor<2x3x4xf64>"}, "tensor<1x3x4xf64>", R"(
       %y = nn.reduce min %a over [0] keep
          : tensor<2x3x4xf64> -> tensor<1x3x4xf64>)"},

    // ---- Normalisations -----------------------------------------------------
    {"Softmax",
     {"tensor<3x4xf64>"},
     "tensor<3x4xf64>",
     "%y = nn.softmax %a dim 1 : tensor<3x4xf64>"},
    {"SoftmaxOfFirstDimension",
     {"tensor<3x4xf64>"},
     "tensor<3x4xf64>",
     "%y = nn.softmax %a dim 0 : tensor<3x4xf64>"},
    {"LogSoftmax",
     {"tensor<2x3x4xf64>"},
     "tensor<2x3x4xf64>",
     "%y = nn.log_softmax %a dim 1 : tensor<2x3x4xf64>"},
    {"LayerNorm",
     {"tensor<2x3x5xf64>", "tensor<5xf64>", "tensor<5xf64>"},
     "tensor<2x3x5xf64>",
     R"(
       %y = nn.layer_norm %a, %b, %c {epsilon = 1.0e-2 : f64}
          : (tensor<2x3x5xf64>, tensor<5xf64>, tensor<5xf64>)
          -> tensor<2x3x5xf64>)"},
    {"RmsNorm", {"tensor<3x5xf64>", "tensor<5xf64>"}, "tensor<3x5xf64>", R"(
       %y = nn.rms_norm %a, %b {epsilon = 1.0e-2 : f64}
          : (tensor<3x5xf64>, tensor<5xf64>) -> tensor<3x5xf64>)"},

    {"BatchNormByOwnStatistics",
     {"tensor<2x3x2x2xf64>", "tensor<3xf64>", "tensor<3xf64>"},
     "tensor<2x3x2x2xf64>",
     R"(
       %mean = nn.reduce mean %a over [0, 2, 3]
             : tensor<2x3x2x2xf64> -> tensor<3xf64>
       %variance = nn.batch_variance %a, %mean
                 : (tensor<2x3x2x2xf64>, tensor<3xf64>) -> tensor<3xf64>
       %y = nn.batch_norm %a, %mean, %variance, %b, %c {epsilon = 1.0e-2 : f64}
          : (tensor<2x3x2x2xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>,
             tensor<3xf64>) -> tensor<2x3x2x2xf64>)"},
    // The variance is that of the input, but the mean is not.
    {"BatchNormByGivenMean",
     {"tensor<4x3xf64>", "tensor<3xf64>", "tensor<3xf64>"},
     "tensor<4x3xf64>",
     R"(
       %variance = nn.batch_variance %a, %b
                 : (tensor<4x3xf64>, tensor<3xf64>) -> tensor<3xf64>
       %y = nn.batch_norm %a, %b, %variance, %c, %b {epsilon = 1.0e-2 : f64}
          : (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>,
             tensor<3xf64>) -> tensor<4x3xf64>)"},
    {"BatchNormByGivenStatistics",
     {"tensor<2x3x2xf64>", "tensor<3xf64>", "tensor<3xf64>"},
     "tensor<2x3x2xf64>",
     R"(
       %variance = nn.mul %c, %c
                 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
       %y = nn.batch_norm %a, %b, %variance, %c, %b {epsilon = 1.0e-1 : f64}
          : (tensor<2x3x2xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>,
             tensor<3xf64>) -> tensor<2x3x2xf64>)"},

    // ---- Look-up and losses -------------------------------------------------
    {"EmbeddingOfRepeatedIndices", {"tensor<5x3xf64>"}, "tensor<2x3x3xf64>", R"(
       %i = nn.constant dense<[[0, 4, 4], [2, 3, 4]]> : tensor<2x3xi32>
       %p = nn.embedding %a, %i
          : (tensor<5x3xf64>, tensor<2x3xi32>) -> tensor<2x3x3xf64>
       %j = nn.constant dense<[1]> : tensor<1xi64>
       %q = nn.embedding %a, %j
          : (tensor<5x3xf64>, tensor<1xi64>) -> tensor<1x3xf64>
       %y = nn.add %p, %q
          : (tensor<2x3x3xf64>, tensor<1x3xf64>) -> tensor<2x3x3xf64>)"},
    {"CrossEntropy", {"tensor<2x3x4xf64>"}, "tensor<f64>", R"(
       %labels = nn.constant dense<[[0, 3, 3], [2, 1, 0]]> : tensor<2x3xi32>
       %y = nn.cross_entropy %a, %labels
          : (tensor<2x3x4xf64>, tensor<2x3xi32>) -> tensor<f64>)"},
    {"Mse", {"tensor<2x3xf64>", "tensor<2x3xf64>"}, "tensor<f64>", R"(
       %y = nn.mse %a, %b : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<f64>)"},

    // ---- Shape --------------------------------------------------------------
    {"Reshape",
     {"tensor<2x6xf64>"},
     "tensor<3x2x2xf64>",
     "%y = nn.reshape %a : tensor<2x6xf64> -> tensor<3x2x2xf64>"},
    {"Transpose",
     {"tensor<2x3x4xf64>"},
     "tensor<4x2x3xf64>",
     "%y = nn.transpose %a [2, 0, 1] : tensor<2x3x4xf64> -> tensor<4x2x3xf64>"},
    {"Broadcast",
     {"tensor<3x1xf64>"},
     "tensor<2x3x4xf64>",
     "%y = nn.broadcast %a : tensor<3x1xf64> -> tensor<2x3x4xf64>"},
    {"Slice",
     {"tensor<4x5xf64>"},
     "tensor<2x5xf64>",
     "%z = nn.slice %a [1, 2] [2, 2] : tensor<4x5xf64> -> tensor<2x2xf64>\n"
     "%x = nn.slice %a [2, 0] [2, 5] : tensor<4x5xf64> -> tensor<2x5xf64>\n"
     "%s = nn.reduce sum %z over [1] keep : tensor<2x2xf64> -> "
     "tensor<2x1xf64>\n"
     "%y = nn.add %x, %s : (tensor<2x5xf64>, tensor<2x1xf64>) -> "
     "tensor<2x5xf64>"},
    {"Part",
     {"tensor<2x3x4xf64>"},
     "tensor<2x4xf64>",
     "%k = nn.constant dense<1> : tensor<i64>\n"
     "%y = nn.part %k of %a dim 1 : (tensor<i64>, tensor<2x3x4xf64>) -> "
     "tensor<2x4xf64>"},
    {"PartOfIndexBeyond",
     {"tensor<2x3xf64>"},
     "tensor<2xf64>",
     "%k = nn.constant dense<7> : tensor<i64>\n"
     "%y = nn.part %k of %a dim 1 : (tensor<i64>, tensor<2x3xf64>) -> "
     "tensor<2xf64>"},
    {"Pad",
     {"tensor<2x3xf64>"},
     "tensor<5x3xf64>",
     "%y = nn.pad %a [1, 0] [2, 0] : tensor<2x3xf64> -> tensor<5x3xf64>"},
    {"Concat", {"tensor<2x3xf64>", "tensor<2x1xf64>"}, "tensor<2x7xf64>", R"(
       %y = nn.concat %a, %b, %a dim 1
          : (tensor<2x3xf64>, tensor<2x1xf64>, tensor<2x3xf64>)
          -> tensor<2x7xf64>)"},
};

/// Returns "0, 1, 2" for a type of rank 3.
std::string dimsOf(StringRef type) {
  std::vector<std::string> dims;
  for (size_t dim = 0; dim < type.count('x'); ++dim)
    dims.push_back(std::to_string(dim));
  return llvm::join(dims, ", ");
}

std::string programOf(const AdjointCase& test) {
  std::string parameters, gets;
  char name = 'a';
  for (const char* type : test.parameters) {
    parameters += fmt::format("nn.parameter @{} : {} = {}\n", name, type,
                              test.initializer);
    gets += fmt::format("%{0} = nn.get @{0} : {1}\n", name++, type);
  }
  return fmt::format(
      R"({0}
        nn.parameter @weights : {2} = #nn.normal<1.0> {{frozen}}
        func.func @loss() -> tensor<f64> attributes {{nn.optimizer = #nn.sgd}} {{
          {1}
          {3}
          %weights = nn.get @weights : {2}
          %weighted = nn.mul %y, %weights : ({2}, {2}) -> {2}
          %loss = nn.reduce sum %weighted over [{4}] : {2} -> tensor<f64>
          return %loss : tensor<f64>
        }})",
      parameters, gets, test.result, test.body, dimsOf(test.result));
}

class AdjointsTest : public testing::TestWithParam<AdjointCase> {};

TEST_P(AdjointsTest, EqualCentralDifferences) {
  TestContext context;
  Program program(context, programOf(GetParam()));
  expectGradientsOfDifferences(program);
}

INSTANTIATE_TEST_SUITE_P(All, AdjointsTest, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<AdjointCase>& test) {
                           return test.param.name;
                         });

// ---- The list is complete ---------------------------------------------------

/// Ops without an adjoint, by reason.
const char* const kNotDifferentiable[] = {
    // Sources, and ops that differentiation handles itself.
    "nn.constant",
    "nn.iota",
    "nn.parameter",
    "nn.get",
    "nn.set",
    // Made from a loss in parts, after its gradients.
    "nn.repeat",
    "nn.repetition",
    // Integers.
    "nn.compare",
    // Made by differentiation.
    "nn.gelu_grad",
    "nn.silu_grad",
    "nn.softmax_grad",
    "nn.log_softmax_grad",
    "nn.layer_norm_grad",
    "nn.rms_norm_grad",
    "nn.embedding_grad",
    "nn.cross_entropy_grad",
    "nn.attention_grad",
    "nn.convolution_input_grad",
    "nn.convolution_filter_grad",
    "nn.pool_grad",
    "nn.batch_norm_sums",
    "nn.batch_norm_grad",
    "nn.sgd",
    "nn.momentum",
    "nn.adam",
};

TEST(CompletenessTest, EveryOpIsTestedOrDeclaredNotDifferentiable) {
  TestContext context;
  mlir::DialectRegistry adjoints;
  registerAdjoints(adjoints);
  context.get()->appendDialectRegistry(adjoints);

  llvm::StringSet<> tested;
  for (const AdjointCase& test : kCases) {
    Program program(context, programOf(test));
    program.module().walk(
        [&](Operation* op) { tested.insert(op->getName().getStringRef()); });
  }
  llvm::StringSet<> declared;
  for (const char* name : kNotDifferentiable) declared.insert(name);

  size_t numOps = 0;
  for (mlir::RegisteredOperationName op :
       context.get()->getRegisteredOperations()) {
    StringRef name = op.getStringRef();
    if (!name.starts_with("nn.")) continue;
    ++numOps;
    bool hasAdjoint = op.hasInterface<nn::DifferentiableOpInterface>();
    EXPECT_NE(hasAdjoint, declared.contains(name))
        << name.str() << " must either have an adjoint or be declared";
    if (hasAdjoint)
      EXPECT_TRUE(tested.contains(name)) << name.str() << " has no case here";
  }
  EXPECT_GT(numOps, declared.size());
}

TEST(CompletenessTest, EveryFloatOperandHasAGradientOrIsDeclaredToHaveNone) {
  TestContext context;
  mlir::DialectRegistry adjoints;
  registerAdjoints(adjoints);
  context.get()->appendDialectRegistry(adjoints);
  auto isFloat = [](Value value) {
    return llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(value));
  };

  size_t numOps = 0;
  for (const std::string& family : interpreter::Instances::families()) {
    interpreter::Instances instances(context, family,
                                     interpreter::Precision::AsWritten);
    for (interpreter::Instance& instance : instances.list()) {
      auto op = llvm::dyn_cast<nn::DifferentiableOpInterface>(instance.op);
      if (!op || !llvm::any_of(op->getResults(), isFloat)) continue;
      ++numOps;
      OpBuilder builder = OpBuilder::atBlockTerminator(op->getBlock());
      // The results themselves have the types of their gradients.
      SmallVector<Value> gradients(op->getNumOperands());
      ASSERT_TRUE(
          succeeded(op.buildAdjoint(builder, op->getResults(), gradients)));
      for (auto [number, operand] : llvm::enumerate(op->getOperands()))
        if (isFloat(operand))
          EXPECT_EQ(static_cast<bool>(gradients[number]),
                    op.hasGradientFor(number))
              << instance.name() << ", operand " << number;
    }
  }
  EXPECT_GT(numOps, 20u);
}

}  // namespace
}  // namespace sbp
