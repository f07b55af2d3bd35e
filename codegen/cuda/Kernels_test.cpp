// Kernels for GPUs against the interpreter.

#include <string>
#include <vector>

#include "codegen/cuda/testing/CudaKernelsTest.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::cuda {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

INSTANTIATE_TEST_SUITE_P(Chips, CudaKernelsTest, testedChips(), nameOfTarget);

/// The function of one op without attributes: unary("nn.exp", "4x5xf32").
std::string unary(const std::string& op, const std::string& type) {
  std::string tensor = "tensor<" + type + ">";
  return "(%x: " + tensor + ") -> " + tensor + " { %y = " + op +
         " %x : " + tensor + " return %y : " + tensor + " }";
}

std::string binary(const std::string& op, const std::string& left,
                   const std::string& right, const std::string& result) {
  return "(%a: tensor<" + left + ">, %b: tensor<" + right + ">) -> tensor<" +
         result + "> { %y = " + op + " %a, %b : (tensor<" + left +
         ">, tensor<" + right + ">) -> tensor<" + result +
         "> return %y : tensor<" + result + "> }";
}

TEST_P(CudaKernelsTest, UnaryOps) {
  std::vector<std::string> functions;
  for (const char* op :
       {"nn.neg", "nn.exp", "nn.log", "nn.sqrt", "nn.rsqrt", "nn.tanh",
        "nn.sigmoid", "nn.relu", "nn.silu", "nn.gelu", "nn.gelu tanh"})
    for (const char* type : {"f32", "1xf32", "7x33xf32", "0x4xf32", "1028xf32"})
      functions.push_back(unary(op, type));
  functions.push_back(unary("nn.neg", "19xi32"));
  expectKernelsAgree(functions, 2e-6);
  EXPECT_THAT(ptx, HasSubstr("ld.global.v4"));
  EXPECT_THAT(ptx, HasSubstr("st.global.v4"));
  EXPECT_THAT(ptx, Not(HasSubstr(".local")));
}

TEST_P(CudaKernelsTest, BinaryOpsBroadcast) {
  std::vector<std::string> functions;
  for (const char* op :
       {"nn.add", "nn.sub", "nn.mul", "nn.div", "nn.max", "nn.min"}) {
    functions.push_back(binary(op, "5x7xf32", "5x7xf32", "5x7xf32"));
    functions.push_back(binary(op, "3x5x36xf32", "36xf32", "3x5x36xf32"));
    functions.push_back(binary(op, "f32", "2x3xf32", "2x3xf32"));
    functions.push_back(binary(op, "4x1x6xf32", "5x1xf32", "4x5x6xf32"));
    functions.push_back(binary(op, "9x8xf32", "9x1xf32", "9x8xf32"));
  }
  for (const char* predicate : {"eq", "ne", "lt", "le", "gt", "ge"})
    functions.push_back(binary(std::string("nn.compare ") + predicate,
                               "5x28xf32", "28xf32", "5x28xi1"));
  expectKernelsAgree(functions, 2e-6);
}

TEST_P(CudaKernelsTest, SoftmaxOfShortAndLongRowsAlongAnyDimension) {
  std::vector<std::string> functions;
  for (const char* op : {"nn.softmax", "nn.log_softmax"})
    for (const char* type : {"5x7xf32", "3x64xf32", "2x1030xf32", "2x2052xf32"})
      for (const char* dim : {"0", "1"}) {
        std::string tensor = std::string("tensor<") + type + ">";
        functions.push_back("(%x: " + tensor + ") -> " + tensor +
                            " { %y = " + op + " %x dim " + dim + " : " +
                            tensor + " return %y : " + tensor + " }");
      }
  expectKernelsAgree(functions, 4e-6);
}

}  // namespace
}  // namespace sbp::cuda
