#include "codegen/interpreter/testing/Instances.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/RandomTensor.h"
#include "gtest/gtest.h"

namespace sbp::interpreter {
namespace {

std::string textOf(const std::string& family, Precision precision) {
  std::string path =
      "codegen/interpreter/testing/instances/" + family + ".mlir";
  std::ifstream file(path);
  if (!file) ADD_FAILURE() << "cannot read " << path;
  std::stringstream content;
  content << file.rdbuf();
  std::string text = content.str();
  if (precision == Precision::Double)
    for (size_t at = text.find("f32"); at != std::string::npos;
         at = text.find("f32", at))
      text.replace(at, 3, "f64");
  return text;
}

/// Returns |x| + 1/4, elementwise.
Tensor positive(const Tensor& tensor) {
  std::vector<double> elements;
  for (double element : tensor.floats())
    elements.push_back(std::abs(element) + 0.25);
  return Tensor(tensor.type(), std::move(elements));
}

}  // namespace

std::vector<std::string> Instances::families() {
  return {"elementwise", "shape", "tensor", "training", "window"};
}

Instances::Instances(TestContext& context, const std::string& family,
                     Precision precision)
    : program_(context, textOf(family, precision)) {
  for (auto function : program_.module().getOps<mlir::func::FuncOp>()) {
    Instance instance;
    instance.function = function;
    instance.op = &function.getBody().front().front();
    EXPECT_EQ(ValueRange(instance.op->getOperands()),
              ValueRange(function.getArguments()))
        << instance.name();

    int64_t bound = 5;
    if (auto below = function->getAttrOfType<mlir::IntegerAttr>("test.below"))
      bound = below.getInt();
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
      CountedRandom random(index, function.getName());
      Tensor operand =
          randomTensor(llvm::cast<RankedTensorType>(type), random, bound);
      if (function->hasAttr("test.positive") && operand.isFloat())
        operand = positive(operand);
      instance.operands.push_back(operand);
    }
    list_.push_back(std::move(instance));
  }
}

}  // namespace sbp::interpreter
