// Tests an op that the project does not know but that declares how it uses
// integers: it bounds a program's inputs like any other op.

#include "dialects/Dialects.h"
#include "dialects/nn/Nn.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "passes/inputs/IndexBounds.h"

namespace sbp {
namespace {

/// An op whose second operand has indices below 12.
class MonthOp
    : public mlir::Op<MonthOp, mlir::OpTrait::NOperands<2>::Impl,
                      mlir::OpTrait::OneResult, nn::IndexOpInterface::Trait> {
 public:
  using Op::Op;

  static StringRef getOperationName() { return "trial.month"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  std::optional<int64_t> getIndexBound(mlir::OpOperand& operand) {
    if (operand.getOperandNumber() == 1) return 12;
    return std::nullopt;
  }
};

class ReverseOp : public mlir::Op<ReverseOp, mlir::OpTrait::OneOperand,
                                  mlir::OpTrait::OneResult, nn::KeepsElements> {
 public:
  using Op::Op;

  static StringRef getOperationName() { return "trial.reverse"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
};

class TrialDialect : public mlir::Dialect {
 public:
  explicit TrialDialect(MLIRContext* context)
      : Dialect(getDialectNamespace(), context,
                mlir::TypeID::get<TrialDialect>()) {
    addOperations<MonthOp, ReverseOp>();
  }
  static StringRef getDialectNamespace() { return "trial"; }
};

TEST(PluggedInOp, BoundsWhatItChoosesBy) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registry.insert<TrialDialect>();
  MLIRContext context(registry);
  auto module = mlir::parseSourceString<ModuleOp>(R"(
    func.func @entry(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
      %r = "trial.reverse"(%b) : (tensor<4xi32>) -> tensor<4xi32>
      %m = "trial.month"(%a, %r) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      return %m : tensor<4xi32>
    })",
                                                  &context);
  ASSERT_TRUE(module);
  mlir::SymbolTable symbols(*module);
  IndexBounds bounds(symbols);
  auto entry = symbols.lookup<mlir::func::FuncOp>("entry");
  EXPECT_EQ(bounds.boundOf(entry.getArgument(0)), IndexBounds::kUnbounded);
  EXPECT_EQ(bounds.boundOf(entry.getArgument(1)), 12);
}

}  // namespace
}  // namespace sbp
