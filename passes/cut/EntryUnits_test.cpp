// Ops of an entry that are of one kind, and thus priced once.

#include "passes/cut/EntryUnits.h"

#include <string>
#include <vector>

#include "dialects/Dialects.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

namespace sbp {
namespace {

using ::testing::ElementsAre;

/// Returns the text of a model of `depth` layers. If `isTied`, its head has the
/// weight of the first layer; otherwise it has its own weight.
std::string modelOf(int depth, bool isTied) {
  const std::string type = "tensor<8x8xf32>";
  std::string text = "nn.parameter @head : " + type + " = #nn.zeros\n";
  for (int layer = 0; layer < depth; ++layer)
    text += "nn.parameter @w" + std::to_string(layer) + " : " + type +
            " = #nn.zeros\n";
  text += "func.func private @layer(%x: " + type + ", %w: " + type + ") -> " +
          type + " {\n return %x : " + type + "\n}\n";
  text += "func.func @loss(%x0: " + type + ") -> tensor<f32> {\n";
  for (int layer = 0; layer <= depth; ++layer) {
    const bool isHead = layer == depth;
    const std::string number = std::to_string(layer);
    const std::string weight = !isHead ? "w" + number : isTied ? "w0" : "head";
    text += "%w" + number + " = nn.get @" + weight + " : " + type + "\n";
    text += "%x" + std::to_string(layer + 1) + " = call @layer(%x" + number +
            ", %w" + number + ") : (" + type + ", " + type + ") -> " + type +
            "\n";
  }
  const std::string last = "%x" + std::to_string(depth + 1);
  return text + "%loss = nn.mse " + last + ", %x0 : (" + type + ", " + type +
         ") -> tensor<f32>\nreturn %loss : tensor<f32>\n}\n";
}

class EntryUnitsTest : public testing::Test {
 protected:
  EntryUnitsTest() {
    registerDialects(registry_);
    context_.appendDialectRegistry(registry_);
    context_.loadAllAvailableDialects();
  }

  std::vector<int64_t> kindsOf(const std::string& text) {
    mlir::OwningOpRef<ModuleOp> module =
        mlir::parseSourceString<ModuleOp>(text, &context_);
    mlir::SymbolTable symbols(*module);
    EntryUnits units(symbols.lookup<mlir::func::FuncOp>("loss"), symbols);
    std::vector<int64_t> kinds;
    for (const EntryUnit& unit : units.units()) kinds.push_back(unit.kind);
    return kinds;
  }

 private:
  mlir::DialectRegistry registry_;
  MLIRContext context_;
};

TEST_F(EntryUnitsTest, LayersAreOfOneKindButTheFirstWhichTakesAnInput) {
  EXPECT_THAT(kindsOf(modelOf(3, /*isTied=*/false)),
              ElementsAre(0, 1, 1, 1, 2));
}

TEST_F(EntryUnitsTest, OneThatReadsWhatAnotherHasReadIsOfAKindOfItsOwn) {
  EXPECT_THAT(kindsOf(modelOf(3, /*isTied=*/true)), ElementsAre(0, 1, 1, 2, 3));
}

TEST_F(EntryUnitsTest, AreOfNoMoreKindsInADeepModel) {
  EXPECT_EQ(kindsOf(modelOf(96, /*isTied=*/false)).back(), 2);
}

}  // namespace
}  // namespace sbp
