// The GPU targets of the tests of kernels, with f32 and with bf16 elements
// (codegen/kernels/testing/KernelsTest.h). Code for bf16 is inspected for all
// chips, code for f32 only for the oldest and the newest chip. The code for the
// oldest chip is run in the simulator. If the environment variable
// SBP_PTX_FOLDER is set, all PTX is written to that folder, for
// tools/ptxas-report. If SBP_TRIALS_FOLDER is set, kernels are written to that
// folder with their operands and results, for tools/check-gpu.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "codegen/cuda/Chip.h"
#include "codegen/cuda/CudaKernelTarget.h"
#include "codegen/cuda/lower/Kernels.h"
#include "codegen/cuda/testing/CodeInspection.h"
#include "codegen/cuda/testing/CompiledOps.h"
#include "codegen/cuda/testing/RecordedKernels.h"
#include "codegen/cuda/testing/SimulatedKernels.h"
#include "codegen/kernels/testing/KernelsTest.h"
#include "fmt/format.h"
#include "gtest/gtest.h"

namespace sbp::cuda {
namespace {

/// Returns the name of the current test, for names of files.
std::string testName() {
  std::string test =
      testing::UnitTest::GetInstance()->current_test_info()->name();
  std::replace(test.begin(), test.end(), '/', '_');
  return test;
}

/// Writes the PTX that the current test has generated, if SBP_PTX_FOLDER is
/// set.
void keep(const std::string& ptx, const Chip& chip) {
  const char* folder = std::getenv("SBP_PTX_FOLDER");
  if (!folder) return;
  static int number = 0;
  const std::string path = fmt::format("{}/{}_{}_{}.ptx", folder, testName(),
                                       chip.name.str(), number++);
  std::ofstream file(path);
  file << ptx;
  EXPECT_TRUE(file.good()) << "cannot write " << path;
}

/// GPUs, tested with tensors of one float type.
class CudaTarget : public TestedTarget {
 public:
  CudaTarget(std::string floatElement, mlir::MLIRContext& context)
      : floatElement_(std::move(floatElement)), context_(context) {
    mlir::DialectRegistry registry;
    registerNnKernels(registry);
    context.appendDialectRegistry(registry);
  }

  const KernelTarget& kernelTarget() const override { return kernelTarget_; }

  std::string floatElement() const override { return floatElement_; }

  std::unique_ptr<RunnableKernels> compile(
      const std::vector<mlir::Operation*>& ops,
      InPlace inPlace) const override {
    FailureOr<CompiledOps> compiled = CompiledOps::of(context_, ops, inPlace);
    if (failed(compiled)) return nullptr;
    FailureOr<DeviceCode> run = inspectedCode(*compiled, chips().front());
    if (failed(run)) return nullptr;
    const llvm::ArrayRef<Chip> others =
        floatElement_ == "bf16" ? chips().drop_front() : chips().take_back();
    for (const Chip& chip : others)
      if (failed(inspectedCode(*compiled, chip))) return nullptr;
    auto kernels = SimulatedKernels::load(run->module(), compiled->kernels());
    if (!kernels.ok()) {
      mlir::emitError(compiled->loc())
          << std::string(kernels.status().message());
      return nullptr;
    }
    const char* folder = std::getenv("SBP_TRIALS_FOLDER");
    if (folder) return recorded(std::move(*kernels), ops, *compiled, folder);
    return std::move(*kernels);
  }

 private:
  /// Returns `kernels`, which write their trials to a file in `folder`.
  static std::unique_ptr<RunnableKernels> recorded(
      std::unique_ptr<RunnableKernels> kernels,
      const std::vector<mlir::Operation*>& ops, CompiledOps& compiled,
      const std::string& folder) {
    static int number = 0;
    KernelTrials trials;
    trials.name = testName();
    for (const Chip& chip : llvm::reverse(chips())) {
      FailureOr<DeviceCode> code = compiled.codeFor(chip);
      if (failed(code)) return nullptr;
      FailureOr<std::string> ptx = code->ptx(compiled.loc());
      if (failed(ptx)) return nullptr;
      trials.code.push_back({chip.name.str(), *std::move(ptx)});
    }
    return std::make_unique<RecordedKernels>(
        std::move(kernels), ops, compiled.kernels(), std::move(trials),
        fmt::format("{}/{}.trials", folder, number++));
  }

  /// Generates the code of `ops` for `chip`. Fails with a diagnostic if the
  /// inspection finds a fault.
  static FailureOr<DeviceCode> inspectedCode(CompiledOps& ops,
                                             const Chip& chip) {
    FailureOr<DeviceCode> code = ops.codeFor(chip);
    if (failed(code)) return failure();
    FailureOr<std::string> ptx = code->ptx(ops.loc());
    if (failed(ptx)) return failure();
    keep(*ptx, chip);
    const CodeInspection inspection(chip, code->module(), *ptx);
    if (std::string fault = inspection.fault(); !fault.empty())
      return mlir::emitError(ops.loc(), fault);
    for (const OpKernel& kernel : ops.kernels())
      if (std::string fault = inspection.faultOf(kernel); !fault.empty())
        return mlir::emitError(ops.loc(), fault);
    return code;
  }

  std::string floatElement_;
  mlir::MLIRContext& context_;
  CudaKernelTarget kernelTarget_;
};

}  // namespace
}  // namespace sbp::cuda

namespace sbp {

std::vector<std::string> testedTargets() { return {"f32", "bf16"}; }

std::unique_ptr<TestedTarget> testedTarget(const std::string& name,
                                           mlir::MLIRContext& context) {
  return std::make_unique<cuda::CudaTarget>(name, context);
}

}  // namespace sbp
