// CPUs as targets of the tests of kernels (codegen/kernels/testing).

#include <string>
#include <utility>

#include "codegen/cpu/CpuKernelTarget.h"
#include "codegen/cpu/KernelLibrary.h"
#include "codegen/cpu/LoadedKernels.h"
#include "codegen/cpu/Target.h"
#include "codegen/cpu/lower/Kernels.h"
#include "codegen/kernels/testing/KernelsTest.h"

namespace sbp::cpu {
namespace {

class CpuKernels : public RunnableKernels {
 public:
  struct Kernel {
    std::string name;
    int64_t scratchBytes = 0;
    std::vector<int64_t> inPlace;  // by result
  };

  CpuKernels(std::unique_ptr<LoadedKernels> loaded, std::vector<Kernel> kernels)
      : loaded_(std::move(loaded)), kernels_(std::move(kernels)) {}

  int64_t scratchBytes(size_t op) const override {
    return kernels_[op].scratchBytes;
  }
  std::string name(size_t op) const override { return kernels_[op].name; }
  int64_t operandOf(size_t op, size_t result) const override {
    return kernels_[op].inPlace[result];
  }

  std::string run(size_t op, const std::vector<Buffer>& buffers) override {
    std::vector<void*> pointers;
    for (const Buffer& buffer : buffers) pointers.push_back(buffer.begin);
    (*loaded_)[kernels_[op].name](pointers);
    return "";
  }

 private:
  std::unique_ptr<LoadedKernels> loaded_;
  std::vector<Kernel> kernels_;
};

class CpuTarget : public TestedTarget {
 public:
  CpuTarget(const std::string& name, mlir::MLIRContext& context)
      : context_(context),
        target_(*lookUpTarget(name,
                              [&context] {
                                return mlir::emitError(
                                    mlir::UnknownLoc::get(&context));
                              })),
        kernelTarget_(target_) {
    mlir::DialectRegistry registry;
    registerNnKernels(registry);
    context.appendDialectRegistry(registry);
  }

  const KernelTarget& kernelTarget() const override { return kernelTarget_; }

  std::unique_ptr<RunnableKernels> compile(
      const std::vector<mlir::Operation*>& ops,
      InPlace inPlace) const override {
    KernelLibrary library(&context_, target_);
    std::vector<CpuKernels::Kernel> kernels;
    for (mlir::Operation* op : ops) {
      mlir::FailureOr<KernelNeeds> needs = library.target().needsOf(op);
      if (mlir::failed(needs)) return nullptr;
      std::vector<int64_t> operands = operandsOfResults(op, *needs, inPlace);
      mlir::FailureOr<int64_t> kernel = library.kernelFor(op, operands);
      if (mlir::failed(kernel)) return nullptr;
      kernels.push_back({library.kernelNames()[*kernel], needs->scratchBytes,
                         std::move(operands)});
    }
    std::unique_ptr<LoadedKernels> loaded =
        LoadedKernels::compile(library.module(), target_);
    if (!loaded) return nullptr;
    return std::make_unique<CpuKernels>(std::move(loaded), std::move(kernels));
  }

 private:
  mlir::MLIRContext& context_;
  Target target_;
  CpuKernelTarget kernelTarget_;
};

}  // namespace
}  // namespace sbp::cpu

namespace sbp {

/// Returns this CPU and two older ones.
std::vector<std::string> testedTargets() {
  return {"host", "x86-64-v3", "x86-64-v2"};
}

std::unique_ptr<TestedTarget> testedTarget(const std::string& name,
                                           mlir::MLIRContext& context) {
  return std::make_unique<cpu::CpuTarget>(name, context);
}

}  // namespace sbp
