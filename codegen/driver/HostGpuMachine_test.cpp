#include "codegen/driver/HostGpuMachine.h"

#include <string>

#include "dialects/sbp/Sbp.h"
#include "gtest/gtest.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp {
namespace {

/// Returns a GPU of sm_80 with the figures of an A100 of 80 GB and PCIe 4.
cuda::HostGpu a100() {
  cuda::HostGpu gpu;
  gpu.name = "A100";
  gpu.capability = 80;
  gpu.memoryBytes = 80'000'000'000;
  gpu.multiprocessors = 108;
  gpu.clockHz = 1.41e9;
  gpu.bytesPerSecond = 2e12;
  gpu.pcieBytesPerSecond = 31.5e9;
  gpu.directNvlinks = {0, 0};
  gpu.links = {cuda::GpuLink::kPcie, cuda::GpuLink::kPcie};
  return gpu;
}

TEST(HostGpuMachineTest, GpusOfSeveralModelsCountAsTheSlowest) {
  mlir::MLIRContext context;
  mlir::OwningOpRef<ModuleOp> module =
      ModuleOp::create(mlir::UnknownLoc::get(&context));
  FoundGpus found;
  found.chip = cuda::chipFor(80);
  found.host.gpus = {a100(), a100()};
  cuda::HostGpu& small = found.host.gpus[1];
  small.name = "A30";
  small.memoryBytes = 24'000'000'000;
  small.multiprocessors = 56;
  small.bytesPerSecond = 0.9e12;
  const std::string text = addHostGpuMachine(*module, found, /*numRanks=*/0);
  EXPECT_NE(text.find("1 x A100 and 1 x A30, each taken as the slowest"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("times 0.52 for 56 multiprocessors"), std::string::npos)
      << text;
  MachineOp machine = *module->getOps<MachineOp>().begin();
  const Device device = machine.getDevice()->getDevice();
  EXPECT_DOUBLE_EQ(device.memoryBytes, 23e9);
  EXPECT_DOUBLE_EQ(device.bytesPerSecond, 0.9e12);
  for (const Rate& rate : device.rates)
    if (rate.type.name == "f32")
      EXPECT_NEAR(rate.flopsPerSecond, 56 * 64 * 2 * 1.41e9, 1e10);
}

TEST(HostGpuMachineTest, FiguresThatTheDriverDoesNotStateAreThoseOfTheFile) {
  mlir::MLIRContext context;
  mlir::OwningOpRef<ModuleOp> module =
      ModuleOp::create(mlir::UnknownLoc::get(&context));
  FoundGpus found;
  found.chip = cuda::chipFor(80);
  found.host.gpus = {a100()};
  found.host.gpus[0].clockHz = found.host.gpus[0].bytesPerSecond = 0;
  addHostGpuMachine(*module, found, /*numRanks=*/0);
  MachineOp machine = *module->getOps<MachineOp>().begin();
  const Device device = machine.getDevice()->getDevice();
  EXPECT_DOUBLE_EQ(device.bytesPerSecond, 2.039e12);
  for (const Rate& rate : device.rates)
    if (rate.type.name == "f32") EXPECT_DOUBLE_EQ(rate.flopsPerSecond, 1.95e13);
}

}  // namespace
}  // namespace sbp
