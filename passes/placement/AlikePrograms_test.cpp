#include "passes/placement/AlikePrograms.h"

#include <string>

#include "dialects/Dialects.h"
#include "dialects/nn/Nn.h"
#include "gtest/gtest.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"

namespace sbp {
namespace {

constexpr char kProgram[] = R"(
  nn.parameter @w1 : tensor<8x8xf32> = #nn.zeros
  func.func private @layer1(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>)
      -> tensor<8x8xf32> attributes {sbp.stage = 1 : i64, in_flight = 3} {
    %y = nn.add %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
  func.func @step(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %w = nn.get @w1 : tensor<8x8xf32>
    %y = call @layer1(%x, %w)
        : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  })";

class AlikeProgramsTest : public testing::Test {
 protected:
  AlikeProgramsTest() {
    registerDialects(registry_);
    context_.appendDialectRegistry(registry_);
    context_.loadAllAvailableDialects();
    program_ = parse(kProgram);
  }

  mlir::OwningOpRef<ModuleOp> parse(const std::string& text) {
    return mlir::parseSourceString<ModuleOp>(text, &context_);
  }

  /// Returns the program with `to` instead of each `from`.
  mlir::OwningOpRef<ModuleOp> with(const std::string& from,
                                   const std::string& to) {
    std::string text = kProgram;
    for (size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    return parse(text);
  }

  bool isLike(const mlir::OwningOpRef<ModuleOp>& other) {
    return compareProgramsOf(*program_, *other).has_value();
  }

  mlir::DialectRegistry registry_;
  mlir::MLIRContext context_;
  mlir::OwningOpRef<ModuleOp> program_;
};

TEST_F(AlikeProgramsTest, NamesStagesAndNumbersInFlightMayDiffer) {
  EXPECT_TRUE(isLike(with("w1", "w7")));
  EXPECT_TRUE(isLike(with("layer1", "layer4")));
  EXPECT_TRUE(isLike(with("sbp.stage = 1", "sbp.stage = 4")));
  EXPECT_TRUE(isLike(with("in_flight = 3", "in_flight = 1")));
}

TEST_F(AlikeProgramsTest, OpsTypesAndOperandsMayNot) {
  EXPECT_FALSE(isLike(with("nn.add", "nn.mul")));
  EXPECT_FALSE(isLike(with("8x8", "8x4")));
  EXPECT_FALSE(isLike(with("nn.add %x, %w", "nn.add %x, %x")));
  EXPECT_FALSE(isLike(with("nn.zeros", "nn.ones")));
  EXPECT_FALSE(isLike(with("@step(%x: tensor<8x8xf32>)",
                           "@step(%x: tensor<8x8xf32> {nn.input = \"x\"})")));
}

TEST_F(AlikeProgramsTest, APlanOfOneIsAPlanOfTheOther) {
  const mlir::OwningOpRef<ModuleOp> other = with("1", "2");
  const auto alike = compareProgramsOf(*program_, *other);
  ASSERT_TRUE(alike.has_value());
  const auto get = [](ModuleOp module) {
    nn::GetOp found;
    module.walk([&](nn::GetOp op) { found = op; });
    return found;
  };
  Plan plan;
  plan.parameters[mlir::StringAttr::get(&context_, "w1")] =
      Placement{Component::split(0)};
  plan.ops[get(*program_)] = {};
  const Plan planned = alike->planOfSecond(plan);
  EXPECT_EQ(planned.parameters.at(mlir::StringAttr::get(&context_, "w2")),
            Placement{Component::split(0)});
  EXPECT_EQ(planned.ops.count(get(*other)), 1U);
}

}  // namespace
}  // namespace sbp
