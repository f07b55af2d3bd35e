// Tests that compare the kernels of ops with the interpreter, on shapes that
// are hard for vectors and threads, and on extreme values. The test program of
// each target links them.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "codegen/kernels/testing/KernelsTest.h"
#include "codegen/kernels/testing/TestedOps.h"
#include "gtest/gtest.h"

namespace sbp {
namespace {

INSTANTIATE_TEST_SUITE_P(Targets, KernelsTest,
                         testing::ValuesIn(testedTargets()), nameOfTarget);

TEST_P(KernelsTest, UnaryOps) {
  std::vector<std::string> functions;
  for (const char* op :
       {"nn.neg", "nn.exp", "nn.log", "nn.sqrt", "nn.rsqrt", "nn.tanh",
        "nn.sigmoid", "nn.relu", "nn.silu", "nn.gelu", "nn.gelu tanh"})
    for (const char* type : {"f32", "1xf32", "7x33xf32", "0x4xf32"})
      functions.push_back(unary(op, type));
  functions.push_back(unary("nn.neg", "19xi32"));
  expectKernelsAgree(functions, 2e-6);
}

TEST_P(KernelsTest, ExtremeValues) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  specialValues = {-infinity, infinity, std::nan(""), 0,     -0.0,  1e30,
                   -1e30,     87,       88.5,         100,   -87,   -90,
                   -104,      -1000,    1000,         1e-30, -1e-30};
  std::vector<std::string> functions;
  for (const char* op :
       {"nn.neg", "nn.exp", "nn.log", "nn.sqrt", "nn.rsqrt", "nn.tanh",
        "nn.sigmoid", "nn.relu", "nn.silu", "nn.gelu", "nn.gelu tanh"})
    functions.push_back(unary(op, "5x27xf32"));
  for (const char* op :
       {"nn.add", "nn.sub", "nn.mul", "nn.div", "nn.max", "nn.min"})
    functions.push_back(binary(op, "5x27xf32", "27xf32", "5x27xf32"));
  for (const char* predicate : {"eq", "ne", "lt", "le", "gt", "ge"})
    functions.push_back(binary(std::string("nn.compare ") + predicate,
                               "5x27xf32", "27xf32", "5x27xi1"));
  expectKernelsAgree(functions, 4e-6);

  // Masking often adds minus infinity to scores.
  specialValues = {-infinity, -1000, 1000, 0};
  expectKernelsAgree({"(%x: tensor<5x70xf32>) -> tensor<5x70xf32> { %y = "
                      "nn.softmax %x dim 1 : "
                      "tensor<5x70xf32> return %y : tensor<5x70xf32> }",
                      "(%x: tensor<5x70xf32>) -> tensor<5x70xf32> { %y = "
                      "nn.softmax %x dim 0 : "
                      "tensor<5x70xf32> return %y : tensor<5x70xf32> }"},
                     2e-6);
}

TEST_P(KernelsTest, BinaryOpsBroadcast) {
  std::vector<std::string> functions;
  for (const char* op :
       {"nn.add", "nn.sub", "nn.mul", "nn.div", "nn.max", "nn.min"}) {
    functions.push_back(binary(op, "5x7xf32", "5x7xf32", "5x7xf32"));
    functions.push_back(binary(op, "3x5x37xf32", "37xf32", "3x5x37xf32"));
    functions.push_back(binary(op, "f32", "2x3xf32", "2x3xf32"));
    functions.push_back(binary(op, "4x1x6xf32", "5x1xf32", "4x5x6xf32"));
    functions.push_back(binary(op, "0x3xf32", "3xf32", "0x3xf32"));
    functions.push_back(binary(op, "9x3xi32", "3xi32", "9x3xi32"));
    functions.push_back(binary(op, "9xi64", "i64", "9xi64"));
  }
  for (const char* op : {"nn.gelu_grad", "nn.gelu_grad tanh", "nn.silu_grad"})
    functions.push_back(binary(op, "7x33xf32", "7x33xf32", "7x33xf32"));
  for (const char* predicate : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    std::string op = std::string("nn.compare ") + predicate;
    functions.push_back(binary(op, "5x7xf32", "7xf32", "5x7xi1"));
    functions.push_back(binary(op, "5x1xi32", "1x7xi32", "5x7xi1"));
  }
  expectKernelsAgree(functions, 2e-6);
}

TEST_P(KernelsTest, SelectAndCast) {
  std::vector<std::string> functions = {
      "(%c: tensor<5x7xi1>, %a: tensor<5x7xf32>, %b: tensor<f32>) -> "
      "tensor<5x7xf32> { %y = nn.select %c, %a, %b : (tensor<5x7xi1>, "
      "tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32> return %y : "
      "tensor<5x7xf32> }"};
  std::vector<std::string> types = {"f32", "i32", "i64", "i1"};
  for (const std::string& from : types)
    for (const std::string& to : types)
      functions.push_back("(%x: tensor<4x9x" + from + ">) -> tensor<4x9x" + to +
                          "> { %y = nn.cast %x : tensor<4x9x" + from +
                          "> -> tensor<4x9x" + to +
                          "> return %y : tensor<4x9x" + to + "> }");
  expectKernelsAgree(functions, 0);
}

TEST_P(KernelsTest, ReductionsOverAnyDimensions) {
  std::vector<std::string> functions;
  auto add = [&](const std::string& kind, const std::string& from,
                 const std::string& dims, const std::string& to) {
    functions.push_back("(%x: tensor<" + from + ">) -> tensor<" + to +
                        "> { %y = nn.reduce " + kind + " %x over " + dims +
                        " : tensor<" + from + "> -> tensor<" + to +
                        "> return %y : tensor<" + to + "> }");
  };
  for (const char* kind : {"sum", "max", "min", "mean"}) {
    add(kind, "5x70xf32", "[1]", "5xf32");
    add(kind, "70x5xf32", "[0]", "5xf32");
    add(kind, "3x70x131xf32", "[0, 1]", "131xf32");
    add(kind, "3x4x5xf32", "[0, 2]", "4xf32");
    // These have enough terms for several threads to share a result.
    add(kind, "6x110x13xf32", "[0, 1]", "13xf32");
    add(kind, "600x2x9xf32", "[0]", "2x9xf32");
    add(kind, "3x4x5x6xf32", "[0, 2]", "4x6xf32");
    add(kind, "3x4x5x6xf32", "[1, 3]", "3x5xf32");
    add(kind, "3x4x5xf32", "[0, 1, 2]", "f32");
    add(kind, "3x4x5xf32", "[1] keep", "3x1x5xf32");
    add(kind, "0x5xf32", "[1]", "0xf32");
    add(kind, "3x1xf32", "[1]", "3xf32");
  }
  for (const char* kind : {"sum", "max", "min"}) {
    add(kind, "5x70xi32", "[1]", "5xi32");
    add(kind, "70x5xi64", "[0]", "5xi64");
  }
  add("sum", "0x5xf32", "[0]", "5xf32");
  add("sum", "3x0x5xf32", "[0, 1]", "5xf32");
  // Sums of 210 terms may be close to 0; the tolerance is relative to 1 there,
  // not to the terms.
  expectKernelsAgree(functions, 2e-5);
}

TEST_P(KernelsTest, SoftmaxAndItsGradients) {
  std::vector<std::string> functions;
  for (const char* shape :
       {"5x64xf32", "3x70x7xf32", "2x5x130xf32", "4x1xf32", "0x3xf32"}) {
    int rank = std::count(shape, shape + std::strlen(shape), 'x');
    for (int dim = 0; dim < rank; ++dim)
      for (std::string op : {"softmax", "log_softmax"}) {
        std::string tensor = std::string("tensor<") + shape + ">";
        std::string along = " dim " + std::to_string(dim);
        functions.push_back("(%x: " + tensor + ") -> " + tensor +
                            " { %y = nn." + op + " %x" + along + " : " +
                            tensor + " return %y : " + tensor + " }");
        functions.push_back("(%x: " + tensor + ", %g: " + tensor + ") -> " +
                            tensor + " { %y = nn." + op + "_grad %x, %g" +
                            along + " : (" + tensor + ", " + tensor + ") -> " +
                            tensor + " return %y : " + tensor + " }");
      }
  }
  // The gradient of log_softmax multiplies a sum of up to 130 gradients, with
  // an error of 1e-6 in f32, by the exponential of a random number, which is up
  // to 40 here.
  expectKernelsAgree(functions, 4e-5);
}

TEST_P(KernelsTest, Normalizations) {
  std::vector<std::string> functions;
  for (const auto& [shape, vector] :
       {std::pair<std::string, std::string>{"5x64", "64"},
        {"2x3x70", "70"},
        {"7", "7"},
        {"3x1", "1"},
        {"0x8", "8"}}) {
    std::string x = "tensor<" + shape + "xf32>";
    std::string v = "tensor<" + vector + "xf32>";
    functions.push_back("(%x: " + x + ", %g: " + v + ", %b: " + v + ") -> " +
                        x + " { %y = nn.layer_norm %x, %g, %b : (" + x + ", " +
                        v + ", " + v + ") -> " + x + " return %y : " + x +
                        " }");
    functions.push_back(
        "(%x: " + x + ", %g: " + v + ") -> " + x +
        " { %y = nn.rms_norm %x, %g {epsilon = 0.01 : f64} : (" + x + ", " + v +
        ") -> " + x + " return %y : " + x + " }");
    functions.push_back(
        "(%x: " + x + ", %g: " + v + ", %d: " + x + ") -> (" + x + ", " + v +
        ", " + v + ") { %a, %b, %c = nn.layer_norm_grad %x, %g, %d : (" + x +
        ", " + v + ", " + x + ") -> (" + x + ", " + v + ", " + v +
        ") return %a, %b, %c : " + x + ", " + v + ", " + v + " }");
    functions.push_back("(%x: " + x + ", %g: " + v + ", %d: " + x + ") -> (" +
                        x + ", " + v +
                        ") { %a, %b = nn.rms_norm_grad %x, %g, %d : (" + x +
                        ", " + v + ", " + x + ") -> (" + x + ", " + v +
                        ") return %a, %b : " + x + ", " + v + " }");
  }
  expectKernelsAgree(functions, 1e-5);
}

TEST_P(KernelsTest, IntegersThatChooseNothingReachNoMemory) {
  constexpr int64_t kWide = int64_t{1} << 40;
  for (const auto& [i, integers] :
       {std::pair("6xi64",
                  std::vector<int64_t>{INT64_MIN, INT64_MAX, -1, 4, kWide, 3}),
        std::pair("6xi32",
                  std::vector<int64_t>{INT32_MIN, INT32_MAX, -1, 4, 3, 0})}) {
    specialIntegers = integers;
    const std::string indices = "tensor<" + std::string(i) + ">";
    expectKernelsAgree(
        {"(%w: tensor<4x3xf32>, %i: " + indices +
             ") -> tensor<6x3xf32> { %y = nn.embedding %w, %i : "
             "(tensor<4x3xf32>, " +
             indices + ") -> tensor<6x3xf32> return %y : tensor<6x3xf32> }",
         "(%i: " + indices +
             ", %g: tensor<6x3xf32>) -> tensor<4x3xf32> { %y = "
             "nn.embedding_grad %i, %g : (" +
             indices +
             ", tensor<6x3xf32>) -> tensor<4x3xf32> return %y : "
             "tensor<4x3xf32> }",
         "(%x: tensor<6x4xf32>, %i: " + indices +
             ", %g: tensor<f32>) -> tensor<6x4xf32> { %y = "
             "nn.cross_entropy_grad %x, %i, %g : (tensor<6x4xf32>, " +
             indices +
             ", tensor<f32>) -> tensor<6x4xf32> return %y : "
             "tensor<6x4xf32> }"},
        2e-6);
  }
}

TEST_P(KernelsTest, EmbeddingsAndLosses) {
  std::vector<std::string> functions;
  for (std::string i : {"i32", "i64"}) {
    functions.push_back(
        "(%w: tensor<4x33xf32>, %i: tensor<2x3x" + i +
        ">) -> tensor<2x3x33xf32> { %y = nn.embedding %w, %i : "
        "(tensor<4x33xf32>, tensor<2x3x" +
        i + ">) -> tensor<2x3x33xf32> return %y : tensor<2x3x33xf32> }");
    functions.push_back(
        "(%w: tensor<2x3xf32>, %i: tensor<9x" + i +
        ">, %r: tensor<i64>) -> tensor<9x3xf32> { %y = nn.embedding %w, %i "
        "from %r : (tensor<2x3xf32>, tensor<9x" +
        i + ">, tensor<i64>) -> tensor<9x3xf32> return %y : tensor<9x3xf32> }");
    functions.push_back(
        "(%i: tensor<2x9x" + i +
        ">, %g: tensor<2x9x7xf32>) -> tensor<4x7xf32> { %y = nn.embedding_grad "
        "%i, %g : (tensor<2x9x" +
        i +
        ">, tensor<2x9x7xf32>) -> tensor<4x7xf32> return %y : tensor<4x7xf32> "
        "}");
    functions.push_back(
        "(%i: tensor<18x" + i +
        ">, %g: tensor<18x7xf32>, %r: tensor<i64>) -> tensor<2x7xf32> { %y = "
        "nn.embedding_grad %i, %g from %r : (tensor<18x" +
        i +
        ">, tensor<18x7xf32>, tensor<i64>) -> tensor<2x7xf32> return %y : "
        "tensor<2x7xf32> }");
    functions.push_back(
        "(%x: tensor<2x9x70xf32>, %t: tensor<2x9x" + i +
        ">) -> tensor<f32> { %y = nn.cross_entropy %x, %t {count = 36 : i64} : "
        "(tensor<2x9x70xf32>, tensor<2x9x" +
        i + ">) -> tensor<f32> return %y : tensor<f32> }");
    functions.push_back(
        "(%x: tensor<2x9x70xf32>, %t: tensor<2x9x" + i +
        ">, %g: tensor<f32>) -> tensor<2x9x70xf32> { %y = "
        "nn.cross_entropy_grad %x, %t, %g : (tensor<2x9x70xf32>, tensor<2x9x" +
        i +
        ">, tensor<f32>) -> tensor<2x9x70xf32> return %y : "
        "tensor<2x9x70xf32> }");
  }
  functions.push_back(binary("nn.mse", "7x70xf32", "7x70xf32", "f32"));
  expectKernelsAgree(functions, 2e-6);
}

TEST_P(KernelsTest, MovingElements) {
  expectKernelsAgree(
      {"(%x: tensor<4x6xf32>) -> tensor<2x3x4xf32> { %y = nn.reshape %x : "
       "tensor<4x6xf32> -> tensor<2x3x4xf32> return %y : tensor<2x3x4xf32> }",
       "(%x: tensor<4x5xi1>) -> tensor<20xi1> { %y = nn.reshape %x : "
       "tensor<4x5xi1> -> tensor<20xi1> return %y : tensor<20xi1> }",
       "(%x: tensor<4x6x5xf32>) -> tensor<5x4x6xf32> { %y = nn.transpose %x "
       "[2, 0, 1] : tensor<4x6x5xf32> -> tensor<5x4x6xf32> return %y : "
       "tensor<5x4x6xf32> }",
       "(%x: tensor<40x33xi32>) -> tensor<33x40xi32> { %y = nn.transpose %x "
       "[1, 0] : tensor<40x33xi32> -> tensor<33x40xi32> return %y : "
       "tensor<33x40xi32> }",
       "(%x: tensor<4x1xf32>) -> tensor<2x4x5xf32> { %y = nn.broadcast %x : "
       "tensor<4x1xf32> -> tensor<2x4x5xf32> return %y : tensor<2x4x5xf32> }",
       "(%x: tensor<4x8x3xf32>) -> tensor<2x3x3xf32> { %y = nn.slice %x [1, 4, "
       "0] [2, 3, 3] : tensor<4x8x3xf32> -> tensor<2x3x3xf32> return %y : "
       "tensor<2x3x3xf32> }",
       "(%k: tensor<i64>, %x: tensor<4x7x3xf32>) -> tensor<4x3xf32> { %y = "
       "nn.part %k of %x dim 1 : (tensor<i64>, tensor<4x7x3xf32>) -> "
       "tensor<4x3xf32> return %y : tensor<4x3xf32> }",
       // Any index is clamped to 0, because there is only one part.
       "(%k: tensor<i64>, %x: tensor<4x1x3xf32>) -> tensor<4x3xf32> { %y = "
       "nn.part %k of %x dim 1 : (tensor<i64>, tensor<4x1x3xf32>) -> "
       "tensor<4x3xf32> return %y : tensor<4x3xf32> }",
       "(%x: tensor<4x3xf32>) -> tensor<5x8xf32> { %y = nn.pad %x [0, 2] [1, "
       "3] "
       ": tensor<4x3xf32> -> tensor<5x8xf32> return %y : tensor<5x8xf32> }",
       "(%x: tensor<4x3xf32>, %y: tensor<4x5xf32>, %z: tensor<4x0xf32>) -> "
       "tensor<4x8xf32> { %r = nn.concat %x, %y, %z dim 1 : (tensor<4x3xf32>, "
       "tensor<4x5xf32>, tensor<4x0xf32>) -> tensor<4x8xf32> return %r : "
       "tensor<4x8xf32> }",
       "() -> tensor<3x4x5xi32> { %y = nn.iota dim 1 : () -> tensor<3x4x5xi32> "
       "return %y : tensor<3x4x5xi32> }",
       "(%s: tensor<i64>) -> tensor<40xf32> { %y = nn.iota from %s dim 0 : "
       "(tensor<i64>) -> tensor<40xf32> return %y : tensor<40xf32> }",
       "() -> tensor<3x7xf32> { %y = nn.constant dense<1.5> : tensor<3x7xf32> "
       "return %y : tensor<3x7xf32> }",
       "() -> tensor<2x2xf32> { %y = nn.constant dense<[[1.0, 2.0], [3.0, "
       "4.0]]> "
       ": tensor<2x2xf32> return %y : tensor<2x2xf32> }",
       "() -> tensor<3xi1> { %y = nn.constant dense<[true, false, true]> : "
       "tensor<3xi1> return %y : tensor<3xi1> }",
       "() -> tensor<2xi64> { %y = nn.constant dense<[-1, 1099511627776]> : "
       "tensor<2xi64> return %y : tensor<2xi64> }"},
      0);
}

TEST_P(KernelsTest, Optimizers) {
  std::string t = "tensor<7x13xf32>", s = "tensor<f32>";
  std::vector<std::string> functions = {
      "(%w: " + t + ", %g: " + t + ", %l: " + s + ") -> " + t +
          " { %y = nn.sgd %w, %g, %l {weight_decay = 0.1 : f64} : (" + t +
          ", " + t + ", " + s + ") -> " + t + " return %y : " + t + " }",
      "(%w: " + t + ", %g: " + t + ", %v: " + t + ", %l: " + s + ") -> (" + t +
          ", " + t +
          ") { %y, %z = nn.momentum %w, %g, %v, %l {momentum = 0.9 : f64, "
          "weight_decay = 0.1 : f64} : (" +
          t + ", " + t + ", " + t + ", " + s + ") -> (" + t + ", " + t +
          ") return %y, %z : " + t + ", " + t + " }"};
  for (std::string decoupled : {"", "decoupled "})
    functions.push_back(
        "(%w: " + t + ", %g: " + t + ", %m: " + t + ", %v: " + t +
        ", %c1: " + s + ", %c2: " + s + ", %l: " + s + ") -> (" + t + ", " + t +
        ", " + t + ") { %x, %y, %z = nn.adam " + decoupled +
        "%w, %g, %m, %v, %c1, %c2, %l {beta1 = 0.9 : f64, beta2 = 0.99 : f64, "
        "epsilon = 1.0e-8 : f64, weight_decay = 0.1 : f64} : (" +
        t + ", " + t + ", " + t + ", " + t + ", " + s + ", " + s + ", " + s +
        ") -> (" + t + ", " + t + ", " + t + ") return %x, %y, %z : " + t +
        ", " + t + ", " + t + " }");
  expectKernelsAgree(functions, 2e-6);
}

TEST_P(KernelsTest, EinsumsOfManyForms) {
  expectKernelsAgree(
      {binary("nn.einsum \"btd,dhk->bhtk\"", "2x5x24xf32", "24x3x7xf32",
              "2x3x5x7xf32"),
       binary("nn.einsum \"bhtk,hkd->btd\"", "2x3x5x7xf32", "3x7x24xf32",
              "2x5x24xf32"),
       binary("nn.einsum \"btd,bhtk->dhk\"", "2x5x24xf32", "2x3x5x7xf32",
              "24x3x7xf32"),
       binary("nn.einsum \"bd,vd->bv\"", "33x20xf32", "70x20xf32", "33x70xf32"),
       binary("nn.einsum \"db,dv->bv\"", "20x72xf32", "20x80xf32", "72x80xf32"),
       binary("nn.einsum \"nbd,ndv->nbv\"", "2x33x21xf32", "2x21x68xf32",
              "2x33x68xf32"),
       binary("nn.einsum \"i,i->\"", "77xf32", "77xf32", "f32"),
       binary("nn.einsum \"ij,j->i\"", "5x77xf32", "77xf32", "5xf32"),
       binary("nn.einsum \"i,ij->j\"", "5xf32", "5x77xf32", "77xf32")},
      1e-5);
}

TEST_P(KernelsTest, EinsumsOfManyLargeMatrices) {
  expectKernelsAgree({binary("nn.einsum \"nbd,ndv->nbv\"", "128x66x20xf32",
                             "128x20x68xf32", "128x66x68xf32"),
                      binary("nn.einsum \"nbd,nvd->nbv\"", "128x66x9xf32",
                             "128x5x9xf32", "128x66x5xf32")},
                     1e-5);
}

TEST_P(KernelsTest, EinsumsOfFewResultsAndManyTerms) {
  expectKernelsAgree(
      {binary("nn.einsum \"i,i->\"", "3001xf32", "3001xf32", "f32"),
       binary("nn.einsum \"bki,bkj->bij\"", "2x560x5xf32", "2x560x72xf32",
              "2x5x72xf32")},
      1e-4);
}

TEST_P(KernelsTest, AttentionAndItsGradient) {
  std::vector<std::string> functions;
  auto add = [&](const std::string& heads, int rows, int columns, int features,
                 int values, const std::string& causal) {
    auto tensor = [&](int extent, int width) {
      return "tensor<" + heads + std::to_string(extent) + "x" +
             std::to_string(width) + "xf32>";
    };
    std::string q = tensor(rows, features), k = tensor(columns, features),
                v = tensor(columns, values), o = tensor(rows, values);
    functions.push_back("(%q: " + q + ", %k: " + k + ", %v: " + v + ") -> " +
                        o + " { %y = nn.attention " + causal +
                        "%q, %k, %v {scale = 0.3 : f64} : (" + q + ", " + k +
                        ", " + v + ") -> " + o + " return %y : " + o + " }");
    functions.push_back(
        "(%q: " + q + ", %k: " + k + ", %v: " + v + ", %g: " + o + ") -> (" +
        q + ", " + k + ", " + v + ") { %x, %y, %z = nn.attention_grad " +
        causal + "%q, %k, %v, %g {scale = 0.3 : f64} : (" + q + ", " + k +
        ", " + v + ", " + o + ") -> (" + q + ", " + k + ", " + v +
        ") return %x, %y, %z : " + q + ", " + k + ", " + v + " }");
  };
  for (std::string causal : {"", "causal "}) {
    add("2x3x", 64, 64, 16, 16, causal);
    add("", 70, 77, 33, 20, causal);
  }
  add("2x", 1, 5, 3, 1, "");
  add("", 20, 40, 72, 80, "");
  add("", 90, 40, 8, 16, "causal ");
  add("2x", 40, 7, 5, 8, "causal ");  // some queries see no key
  add("0x", 4, 4, 4, 4, "causal ");
  expectKernelsAgree(functions, 1e-5);
}

}  // namespace
}  // namespace sbp
