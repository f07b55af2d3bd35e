// Trains a model with kernels for GPUs and with kernels for CPUs, and compares
// the losses.
//
//   CompareGpuSteps [OPTIONS] STEPS LOCAL.mlir...
//
// Each LOCAL.mlir is the model in the local form, with any number of ranks,
// which run in this process; each GPU thread of a kernel is a fibre. CPUs run
// the first LOCAL.mlir only. All runs have the same steps, initial parameters
// and random inputs. Prints the losses, and fails if two losses of a step
// differ by more than the tolerance.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "codegen/cpu/lower/Kernels.h"
#include "codegen/cuda/lower/Kernels.h"
#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/RandomTensor.h"
#include "codegen/plugin/Plugins.h"
#include "dialects/Dialects.h"
#include "dialects/text/ReadModule.h"
#include "fmt/format.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"
#include "test/properties/CompiledStep.h"
#include "test/properties/GpuStep.h"

namespace cl = llvm::cl;

namespace sbp::properties {
namespace {

using interpreter::Tensor;

constexpr uint64_t kSeed = 7;
constexpr double kLearningRate = 1e-2;

cl::OptionCategory options("Options of CompareGpuSteps");

cl::opt<unsigned> numSteps(cl::Positional, cl::Required, cl::desc("STEPS"),
                           cl::cat(options));
cl::list<std::string> localPaths(cl::Positional, cl::OneOrMore,
                                 cl::desc("LOCAL.mlir..."), cl::cat(options));
cl::opt<std::string> cpuPath(
    "on-cpus", cl::value_desc("OTHER.mlir"), cl::cat(options),
    cl::desc("what CPUs run instead, in the local form, with the same inputs "
             "and parameters: such as the model in f32 of one in bf16"));
cl::opt<double> tolerance("within", cl::init(1e-5), cl::cat(options),
                          cl::desc("how much losses may differ, relative"));
cl::list<std::string> plugIns("plug-in", cl::value_desc("FILE.so"),
                              cl::cat(options),
                              cl::desc("whose ops the model has"));

/// Returns inputs of the training entry of `plan`. The last one is the learning
/// rate.
SmallVector<Tensor> inputsOf(const plan::Plan& plan, MLIRContext* context,
                             uint64_t step) {
  const plan::Entry* entry = nullptr;
  for (const plan::Entry& one : plan.entries)
    if (one.name == "train_step") entry = &one;
  SmallVector<Tensor> inputs;
  for (const plan::Tensor& input : entry->inputs)
    inputs.push_back(interpreter::randomTensor(
        RankedTensorType::get(input.shape,
                              elementTypeOf(input.elementType, context)),
        interpreter::CountedRandom(step, input.name), input.below.value_or(2)));
  inputs.back() =
      Tensor(inputs.back().type(), std::vector<double>{kLearningRate});
  return inputs;
}

mlir::OwningOpRef<ModuleOp> read(const std::string& path,
                                 MLIRContext* context) {
  llvm::SourceMgr sources;
  return readModule(path, sources, context);
}

/// Prints the losses of both runs, and their differences. Returns the largest
/// difference of two losses of a step, relative.
double printComparison(const TrainingStep& actual,
                       const TrainingStep& expected) {
  double largest = 0;
  for (unsigned step = 0; step < numSteps; ++step) {
    const std::string name = fmt::format("loss of step {}", step);
    const double cpu = expected.parameters.at(name).floats().front();
    const double gpu = actual.parameters.at(name).floats().front();
    llvm::outs() << fmt::format("{}  CPUs {:.8f}  GPUs {:.8f}\n", name, cpu,
                                gpu);
    const double difference = std::abs(gpu - cpu) / std::abs(cpu);
    largest =
        std::isfinite(difference) ? std::max(largest, difference) : INFINITY;
  }
  std::string where;
  const double parameters = distance(actual, expected, &where);
  llvm::outs() << fmt::format(
      "losses differ by {:.1e}, parameters by {:.1e} of the largest element of "
      "{}\n",
      largest, parameters, where);
  return largest;
}

int compare() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  plugin::Plugins plugins("CompareGpuSteps", registry);
  for (const std::string& path : plugIns)
    if (llvm::Error error = plugins.load(path)) {
      llvm::errs() << llvm::toString(std::move(error)) << "\n";
      return 1;
    }
  cpu::registerNnKernels(registry);
  cuda::registerNnKernels(registry);
  MLIRContext context(registry);
  mlir::OwningOpRef<ModuleOp> cpuModule =
      read(cpuPath.empty() ? localPaths.front() : cpuPath, &context);
  if (!cpuModule) return 1;
  FailureOr<CompiledProgram> onCpus = compileForHost(*cpuModule);
  if (failed(onCpus)) return 1;
  SmallVector<SmallVector<Tensor>> inputs;
  for (unsigned step = 0; step < numSteps; ++step)
    inputs.push_back(inputsOf(onCpus->plan, &context, step));
  FailureOr<TrainingStep> expected =
      stepsBy(onCpus->plan, *onCpus, *cpuModule, inputs, kSeed);
  if (failed(expected)) return 1;
  bool agree = true;
  for (const std::string& path : localPaths) {
    mlir::OwningOpRef<ModuleOp> gpuModule = read(path, &context);
    if (!gpuModule) return 1;
    FailureOr<TrainingStep> actual = stepsOnGpus(*gpuModule, inputs, kSeed);
    if (failed(actual)) return 1;
    llvm::outs() << path << "\n";
    agree &= printComparison(*actual, *expected) <= tolerance;
  }
  return agree ? 0 : 1;
}

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  cl::HideUnrelatedOptions(sbp::properties::options);
  cl::ParseCommandLineOptions(argc, argv);
  if (sbp::properties::numSteps >= 2) return sbp::properties::compare();
  llvm::errs() << "CompareGpuSteps: at least 2 steps\n";
  return 1;
}
