#include "passes/cut/RepeatedUnits.h"

#include <string>
#include <utility>
#include <vector>

#include "dialects/Dialects.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

namespace sbp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RepeatedUnitsTest : public testing::Test {
 protected:
  RepeatedUnitsTest() {
    registerDialects(registry_);
    context_.appendDialectRegistry(registry_);
    context_.loadAllAvailableDialects();
  }

  /// Returns the first and last units of the runs that can be left out of an
  /// entry with these ops.
  std::vector<std::pair<int64_t, int64_t>> runsOf(const std::string& ops) {
    const std::string text =
        "func.func @loss(%x: tensor<8xf32>) -> tensor<8xf32> {\n" + ops + "}\n";
    mlir::OwningOpRef<ModuleOp> module =
        mlir::parseSourceString<ModuleOp>(text, &context_);
    mlir::SymbolTable symbols(*module);
    const EntryUnits units(symbols.lookup<mlir::func::FuncOp>("loss"), symbols);
    std::vector<std::pair<int64_t, int64_t>> runs;
    for (const RepeatedUnits& run : repeatedUnits(units))
      runs.emplace_back(run.first, run.last);
    return runs;
  }

 private:
  mlir::DialectRegistry registry_;
  MLIRContext context_;
};

/// Returns an op `name` of `operands`, which makes `result`.
std::string op(const std::string& result, const std::string& name,
               const std::vector<std::string>& operands) {
  std::string list, types;
  for (const std::string& operand : operands) {
    list += (list.empty() ? "" : ", ") + operand;
    types += (types.empty() ? "" : ", ") + std::string("tensor<8xf32>");
  }
  const bool isOne = operands.size() == 1;
  return result + " = nn." + name + " " + list + " : " +
         (isOne ? types : "(" + types + ") -> tensor<8xf32>") + "\n";
}

const char* const kReturn = " : tensor<8xf32>\n";

TEST_F(RepeatedUnitsTest, AreAllLayersButOneOfEachKind) {
  std::string ops = op("%0", "gelu", {"%x"});
  for (int i = 0; i < 8; ++i)
    ops += op("%" + std::to_string(i + 1), "gelu", {"%" + std::to_string(i)});
  // Unit 0 takes an input, unit 1 is the first that takes a result.
  EXPECT_THAT(runsOf(ops + op("%y", "exp", {"%8"}) + "return %y" + kReturn),
              ElementsAre(std::pair(2, 9)));
}

TEST_F(RepeatedUnitsTest, AreNoneInAShallowModel) {
  EXPECT_THAT(runsOf(op("%0", "gelu", {"%x"}) + op("%1", "exp", {"%0"}) +
                     "return %1" + kReturn),
              IsEmpty());
}

// %0 and %1 are used until the end, and stay the first values of all that are
// live.
TEST_F(RepeatedUnitsTest, LeaveValuesThatStayWhereTheyAre) {
  std::string ops = op("%0", "gelu", {"%x"}) + op("%1", "gelu", {"%0"}) +
                    op("%2", "mul", {"%0", "%1"});
  for (int i = 3; i < 12; ++i)
    ops +=
        op("%" + std::to_string(i), "mul", {"%0", "%" + std::to_string(i - 1)});
  EXPECT_THAT(runsOf(ops + op("%12", "mul", {"%11", "%0"}) +
                     op("%y", "add", {"%12", "%1"}) + "return %y" + kReturn),
              ElementsAre(std::pair(3, 12)));
}

}  // namespace
}  // namespace sbp
