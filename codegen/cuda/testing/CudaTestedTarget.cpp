// Kernels for GPUs, to be tested: with elements of f32, and with bf16.

#include <string>
#include <utility>

#include "codegen/cuda/Chip.h"
#include "codegen/cuda/lower/Kernels.h"
#include "codegen/cuda/testing/CompiledOps.h"
#include "codegen/cuda/testing/SimulatedKernels.h"
#include "codegen/kernels/testing/KernelsTest.h"

namespace sbp::cuda {
namespace {

class CudaTarget : public TestedTarget {
 public:
  /// "sm_80", or "sm_80_bf16" for tensors of bf16.
  CudaTarget(llvm::StringRef name, mlir::MLIRContext& context)
      : context_(context),
        floatElement_(name.consume_back("_bf16") ? "bf16" : "f32"),
        chip_(*chipNamed(name)) {
    mlir::DialectRegistry registry;
    registerNnKernels(registry);
    context.appendDialectRegistry(registry);
  }

  std::string floatElement() const override { return floatElement_; }

  std::unique_ptr<RunnableKernels> compile(
      const std::vector<mlir::Operation*>& ops) const override {
    FailureOr<CompiledOps> compiled = CompiledOps::of(context_, ops);
    if (failed(compiled)) return nullptr;
    FailureOr<DeviceCode> code = compiled->codeFor(chip_);
    if (failed(code)) return nullptr;
    FailureOr<std::string> ptx = code->ptx(compiled->loc());
    if (failed(ptx)) return nullptr;
    // Registers alone: what lies in a thread's own memory is slow.
    if (ptx->find(".local") != std::string::npos) {
      mlir::emitError(compiled->loc(), "a kernel has local memory");
      return nullptr;
    }
    auto kernels = SimulatedKernels::load(code->module(), compiled->kernels());
    if (!kernels.ok()) {
      mlir::emitError(compiled->loc())
          << std::string(kernels.status().message());
      return nullptr;
    }
    return std::move(*kernels);
  }

 private:
  mlir::MLIRContext& context_;
  std::string floatElement_;
  const Chip& chip_;
};

}  // namespace
}  // namespace sbp::cuda

namespace sbp {

std::vector<std::string> testedTargets() { return {"sm_80", "sm_80_bf16"}; }

std::unique_ptr<TestedTarget> testedTarget(const std::string& name,
                                           mlir::MLIRContext& context) {
  return std::make_unique<cuda::CudaTarget>(name, context);
}

}  // namespace sbp
