// Trains a model by its kernels for GPUs and by those for CPUs, and compares.
//
//   CompareGpuSteps LOCAL.mlir STEPS [PLUGIN.so]...
//
// LOCAL.mlir is a model in the local form, which may have ops of the plug-ins;
// all of its ranks run in this process, those with kernels for GPUs a fibre for
// each of their threads. Both take the same steps from the same parameters, on
// random inputs. Prints the losses; fails where two differ by more than 1e-5,
// relative.

#include <cmath>
#include <string>
#include <utility>

#include "codegen/cpu/lower/Kernels.h"
#include "codegen/cuda/lower/Kernels.h"
#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/RandomTensor.h"
#include "dialects/Dialects.h"
#include "dialects/LoadPlugin.h"
#include "dialects/text/ReadModule.h"
#include "fmt/format.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"
#include "test/properties/CompiledStep.h"
#include "test/properties/GpuStep.h"

namespace sbp::properties {
namespace {

using interpreter::Tensor;

constexpr uint64_t kSeed = 7;
constexpr double kLearningRate = 1e-2;
constexpr double kTolerance = 1e-5;

/// The inputs of `plan`'s entry that trains: its last one is the learning rate.
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

int compare(const std::string& path, int64_t numSteps,
            ArrayRef<const char*> plugIns) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  for (const char* plugIn : plugIns)
    if (llvm::Error error = loadDialectPlugin(plugIn, registry)) {
      llvm::errs() << llvm::toString(std::move(error)) << "\n";
      return 1;
    }
  cpu::registerNnKernels(registry);
  cuda::registerNnKernels(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  mlir::OwningOpRef<ModuleOp> module = readModule(path, sources, &context);
  if (!module) return 1;
  FailureOr<CompiledProgram> onCpus = compiled(*module);
  if (failed(onCpus)) return 1;
  SmallVector<SmallVector<Tensor>> inputs;
  for (int64_t step = 0; step < numSteps; ++step)
    inputs.push_back(inputsOf(onCpus->plan, &context, step));
  FailureOr<TrainingStep> expected =
      stepsBy(onCpus->plan, *onCpus, *module, inputs, kSeed);
  FailureOr<TrainingStep> actual = stepsOnGpus(*module, inputs, kSeed);
  if (failed(expected) || failed(actual)) return 1;
  double largest = 0;
  for (int64_t step = 0; step < numSteps; ++step) {
    const std::string name = fmt::format("loss of step {}", step);
    const double cpu = expected->parameters.at(name).floats().front();
    const double gpu = actual->parameters.at(name).floats().front();
    llvm::outs() << fmt::format("{}  CPUs {:.8f}  GPUs {:.8f}\n", name, cpu,
                                gpu);
    const double difference = std::abs(gpu - cpu) / std::abs(cpu);
    largest =
        std::isfinite(difference) ? std::max(largest, difference) : INFINITY;
  }
  std::string where;
  const double parameters = distance(*actual, *expected, &where);
  llvm::outs() << fmt::format(
      "losses differ by {:.1e}, parameters by {:.1e} of the largest element of "
      "{}\n",
      largest, parameters, where);
  return largest <= kTolerance ? 0 : 1;
}

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  int64_t numSteps = 0;
  if (argc < 3 || llvm::StringRef(argv[2]).getAsInteger(10, numSteps) ||
      numSteps < 2) {
    llvm::errs() << "usage: CompareGpuSteps LOCAL.mlir STEPS [PLUGIN.so]...\n"
                    "at least 2 steps\n";
    return 1;
  }
  return sbp::properties::compare(argv[1], numSteps,
                                  llvm::ArrayRef(argv + 3, argc - 3));
}
