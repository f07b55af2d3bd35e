// A program that counts the memory traffic of the kernels of a training step on
// a GPU.
//
//   CountTraffic LOCAL.mlir
//
// LOCAL.mlir is a model in the local form. Prints a table, separated by tabs,
// with a line per launch of each kernel that the first program of the model
// runs in a step: the number of its runs, and the traffic of one run
// (SampledTraffic.h).

#include <algorithm>
#include <string>
#include <utility>

#include "codegen/cuda/Chip.h"
#include "codegen/cuda/DeviceCode.h"
#include "codegen/cuda/DeviceKernels.h"
#include "codegen/cuda/LowerToLlvm.h"
#include "codegen/cuda/lower/Kernels.h"
#include "codegen/cuda/testing/SampledTraffic.h"
#include "codegen/fuse/FuseElementwise.h"
#include "codegen/plan/BuildPlan.h"
#include "codegen/plan/KernelRuns.h"
#include "dialects/Dialects.h"
#include "dialects/text/ReadModule.h"
#include "fmt/format.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp::cuda {
namespace {

constexpr char kEntry[] = "train_step";

/// Returns the smallest number that is above all integers in the inputs of
/// `entry`.
int64_t belowOf(const plan::Entry& entry) {
  int64_t below = 1;
  for (const plan::Tensor& input : entry.inputs)
    below = std::max(below, input.below.value_or(1));
  return below;
}

int fail(const std::string& what) {
  llvm::errs() << "CountTraffic: " << what << "\n";
  return 1;
}

int count(const std::string& path) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerNnKernels(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  mlir::OwningOpRef<ModuleOp> module = readModule(path, sources, &context);
  if (!module) return 1;
  fuseElementwise(*module);
  DeviceKernels kernels(&context);
  FailureOr<plan::Plan> plan = buildPlan(*module, "model", kernels);
  if (failed(plan) || failed(lowerToLlvm(kernels.kernels()))) return 1;
  FailureOr<DeviceCode> code =
      DeviceCode::of(kernels.kernels(), chips().front());
  if (failed(code)) return 1;
  absl::StatusOr<std::unique_ptr<simt::Simulator>> simulator =
      simt::Simulator::load(code->module());
  if (!simulator.ok()) return fail(simulator.status().ToString());
  size_t entry = 0;
  while (entry < plan->entries.size() && plan->entries[entry].name != kEntry)
    ++entry;
  if (entry == plan->entries.size())
    return fail(fmt::format("{} has no entry {}", path, kEntry));

  llvm::outs() << "op\tkernel\tlaunch\truns\tleast\tblocks\tthreads\tshared\t"
                  "loaded\tstored\trequests\trequested\twanted\n";
  const int64_t below = belowOf(plan->entries[entry]);
  for (auto [number, runs] : kernelRuns(plan->programs[0].entries[entry])) {
    const plan::Kernel& kernel = plan->kernels[number];
    absl::StatusOr<std::vector<Traffic>> traffic =
        sampleTraffic(**simulator, kernel, below);
    if (!traffic.ok()) return fail(traffic.status().ToString());
    for (size_t i = 0; i < kernel.launches.size(); ++i) {
      const plan::Launch& launch = kernel.launches[i];
      const Traffic& moved = (*traffic)[i];
      llvm::outs() << fmt::format(
          "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.0f}\t{:.0f}\t{:.0f}\t{:.0f}\t"
          "{:.0f}\n",
          kernel.op, kernel.name, launch.function, runs, leastBytes(kernel),
          launch.blocks, launch.threads, launch.sharedBytes, moved.loadedBytes,
          moved.storedBytes, moved.requests, moved.requestedBytes,
          moved.wantedBytes);
    }
  }
  return 0;
}

}  // namespace
}  // namespace sbp::cuda

int main(int argc, char** argv) {
  if (argc == 2) return sbp::cuda::count(argv[1]);
  llvm::errs() << "usage: CountTraffic LOCAL.mlir\n";
  return 1;
}
