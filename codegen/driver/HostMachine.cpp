#include "codegen/driver/HostMachine.h"

#include <unistd.h>

#include "dialects/sbp/Sbp.h"
#include "runtime/bytes/Bytes.h"
#include "runtime/text/Counted.h"

namespace sbp {
namespace {

// Figures of a message over shared memory between two processes.
constexpr double kLatencySeconds = 1.0e-6;
constexpr double kSecondsPerByte = 1.0e-10;

// Figures of one core.
constexpr double kBytesPerSecond = 1.0e10;
constexpr double kF32FlopsPerSecond = 5.0e10;
constexpr double kF64FlopsPerSecond = 2.5e10;

/// Returns the bytes of this host's memory.
double hostMemory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

std::string addHostMachine(ModuleOp module, int64_t numRanks) {
  MLIRContext* context = module.getContext();
  // A dialect is loaded when its first op is parsed; there may have been none.
  context->loadDialect<SbpDialect>();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto level =
      LevelAttr::get(context, "rank", numRanks, llvm::APFloat(kLatencySeconds),
                     llvm::APFloat(kSecondsPerByte));
  auto rate = [&](Type type, double flopsPerSecond) {
    return RateAttr::get(context, type, llvm::APFloat(flopsPerSecond), {});
  };
  const double memory = hostMemory() / static_cast<double>(numRanks);
  auto device =
      DeviceAttr::get(context, DeviceKind::Cpu, /*launch=*/llvm::APFloat(0.0),
                      llvm::APFloat(memory), llvm::APFloat(kBytesPerSecond),
                      {rate(builder.getF32Type(), kF32FlopsPerSecond),
                       rate(builder.getF64Type(), kF64FlopsPerSecond)});
  MachineOp::create(builder, module.getLoc(), builder.getStringAttr("host"),
                    builder.getArrayAttr({level}), device);
  return text::counted(numRanks, "core") + " with " + bytes::toText(memory) +
         " per core, as fast as any server's of the last ten years";
}

}  // namespace sbp
