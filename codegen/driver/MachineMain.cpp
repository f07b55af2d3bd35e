#include "codegen/driver/MachineMain.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "CLI/CLI.hpp"
#include "codegen/driver/HostGpuMachine.h"
#include "codegen/driver/HostMachine.h"
#include "codegen/driver/ModelCommandLine.h"
#include "codegen/driver/UnlocatedErrors.h"
#include "codegen/driver/WriteText.h"
#include "dialects/sbp/Device.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/options/HelpFormatter.h"

namespace sbp {
namespace {

constexpr const char* kIntroduction =
    R"(sbpc machine prints the machine that --machine auto takes: this host. The file may be
edited, and given to --machine.

  sbpc machine -n 4                              four cores of this host
  sbpc machine --target cuda -o node.mlir        its GPUs, and the links between them

NVIDIA's driver states the number of GPUs, their memory, multiprocessors and clocks, and
NVML, which comes with the driver, states their NVLinks and PCIe lanes. What neither
states is that of a known GPU, or assumed; a comment says so. Nothing is measured: see
sbprun --calibrate.
)";

struct MachineOptions {
  int64_t numRanks = 0;
  DeviceKind kind = DeviceKind::Cpu;
  std::string output = "-";
};

LogicalResult printMachine(const MachineOptions& options) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  const UnlocatedErrors errors(context);
  const mlir::Location loc = mlir::UnknownLoc::get(&context);
  mlir::OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  std::string text = "// This host, by sbpc machine: ";
  if (options.kind == DeviceKind::Gpu) {
    const FailureOr<FoundGpus> found =
        FoundGpus::find([&] { return mlir::emitError(loc); });
    if (failed(found)) return failure();
    const auto numGpus = static_cast<int64_t>(found->host.gpus.size());
    if (options.numRanks > numGpus)
      return mlir::emitError(loc)
             << "-n " << options.numRanks << ": NVIDIA's driver shows "
             << numGpus << (numGpus == 1 ? " GPU" : " GPUs");
    text += addHostGpuMachine(*module, *found, options.numRanks);
  } else {
    text += addHostMachine(*module, std::max<int64_t>(options.numRanks, 1));
  }
  text += ".\n";
  llvm::raw_string_ostream stream(text);
  (*module->getOps<MachineOp>().begin())->print(stream);
  stream << "\n";
  return writeText(&context, options.output, text);
}

}  // namespace

int machineMain(int argc, char** argv, const std::string& version) {
  MachineOptions options;
  CLI::App app(kIntroduction, "sbpc machine");
  app.formatter(std::make_shared<options::HelpFormatter>());
  app.set_version_flag("--version", version, "Print the version and exit");
  addRanksOption(app, "Number of devices (1 core, or all GPUs)",
                 options.numRanks);
  addTargetOption(app, options.kind);
  app.add_option("-o,--output", options.output,
                 "File for the machine; - is standard output (-)")
      ->type_name("FILE")
      ->group("Output");
  if (auto status = parseCommandLine(app, argc, argv)) return *status;
  return failed(printMachine(options)) ? 1 : 0;
}

}  // namespace sbp
