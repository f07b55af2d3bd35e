// Tests of lookupMesh and lookupDevice.

#include <memory>

#include "dialects/sbp/Sbp.h"
#include "gtest/gtest.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

namespace sbp {
namespace {

constexpr char kModule[] = R"(
  sbp.machine @bare [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  sbp.machine @full [#sbp.level<"gpu" x 6, alpha = 1.0e-6, beta = 1.0e-10, prices = [
    #sbp.price<all_reduce of 2 up to 64, alpha = 1.0e-6, beta = 0.0>,
    #sbp.price<all_reduce of 2, alpha = 2.0e-6, beta = 1.0e-9>,
    #sbp.price<all_reduce of 6, alpha = 3.0e-6, beta = 0.0>,
    #sbp.price<all_to_all, alpha = 4.0e-6, beta = 0.0>]>]
    device #sbp.device<memory = 4.0e10, bandwidth = 1.5e12, rates = [
      #sbp.rate<f32, 1.9e13, efficiency = [1.0e6 : 0.5]>, #sbp.rate<i8, 1.0e14>]>
  sbp.mesh @grid of @full [#sbp.axis<"row" x 2 in "gpu">, #sbp.axis<"column" x 3 in "gpu">])";

class MachineTest : public ::testing::Test {
 protected:
  MachineTest() {
    context_.loadDialect<SbpDialect>();
    module_ = mlir::parseSourceString<ModuleOp>(kModule, &context_);
  }

  mlir::FlatSymbolRefAttr symbol(StringRef name) {
    return mlir::FlatSymbolRefAttr::get(&context_, name);
  }

  MLIRContext context_;
  mlir::OwningOpRef<ModuleOp> module_;
};

TEST_F(MachineTest, EveryAxisOfALevelHasItsPrices) {
  FailureOr<Mesh> mesh = lookupMesh(*module_, symbol("grid"));
  ASSERT_TRUE(succeeded(mesh));
  ASSERT_EQ(mesh->axes.size(), 2u);
  for (const MeshAxis& axis : mesh->axes) {
    ASSERT_EQ(axis.prices.size(), 3u);
    EXPECT_EQ(axis.prices[0].members, 2);
    ASSERT_EQ(axis.prices[0].classes.size(), 2u);
    EXPECT_EQ(axis.prices[0].classes[0].largestBytes, 64);
    EXPECT_EQ(axis.prices[0].classes[1].price.secondsPerByte, 1e-9);
    EXPECT_EQ(axis.prices[1].members, 6);
    EXPECT_EQ(axis.prices[2].collective, Collective::AllToAll);
    EXPECT_EQ(axis.prices[2].members, 0);
    EXPECT_EQ(axis.prices[2].classes[0].price.latencySeconds, 4e-6);
  }
}

TEST_F(MachineTest, TheDeviceOfAMeshIsThatOfItsMachine) {
  for (const char* name : {"full", "grid"}) {
    std::optional<Device> device = lookupDevice(*module_, symbol(name));
    ASSERT_TRUE(device);
    EXPECT_EQ(device->memoryBytes, 4e10);
    EXPECT_EQ(device->bytesPerSecond, 1.5e12);
    ASSERT_EQ(device->rates.size(), 2u);
    EXPECT_EQ(device->rates[0].type.name, "f32");
    EXPECT_TRUE(device->rates[0].type.isFloat);
    EXPECT_EQ(device->rates[0].flopsPerSecond, 1.9e13);
    ASSERT_EQ(device->rates[0].efficiency.size(), 1u);
    EXPECT_EQ(device->rates[0].efficiency[0].fraction, 0.5);
    EXPECT_EQ(device->rates[1].type.bits, 8);
    EXPECT_FALSE(device->rates[1].type.isFloat);
  }
}

TEST_F(MachineTest, AMachineNeedNotSayWhatItsDevicesCanDo) {
  EXPECT_FALSE(lookupDevice(*module_, symbol("bare")));
  EXPECT_FALSE(lookupDevice(*module_, symbol("nowhere")));
}

}  // namespace
}  // namespace sbp
