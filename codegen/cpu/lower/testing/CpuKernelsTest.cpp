#include "codegen/cpu/lower/testing/CpuKernelsTest.h"

#include <string>
#include <utility>

#include "codegen/cpu/KernelLibrary.h"
#include "codegen/cpu/Target.h"
#include "codegen/cpu/lower/Kernels.h"
#include "codegen/cpu/testing/LoadedKernels.h"

namespace sbp::cpu {
namespace {

class CpuKernels : public RunnableKernels {
 public:
  struct Kernel {
    std::string name;
    int64_t scratchBytes = 0;
  };

  CpuKernels(std::unique_ptr<LoadedKernels> loaded, std::vector<Kernel> kernels)
      : loaded_(std::move(loaded)), kernels_(std::move(kernels)) {}

  int64_t scratchBytes(size_t op) const override {
    return kernels_[op].scratchBytes;
  }
  std::string name(size_t op) const override { return kernels_[op].name; }

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

}  // namespace

CpuKernelsTest::CpuKernelsTest() {
  mlir::DialectRegistry registry;
  registerNnKernels(registry);
  context.get()->appendDialectRegistry(registry);
}

std::unique_ptr<RunnableKernels> CpuKernelsTest::compile(
    const std::vector<mlir::Operation*>& ops) {
  const Target target = *lookUpTarget(GetParam(), [this] {
    return mlir::emitError(mlir::UnknownLoc::get(context.get()));
  });
  KernelLibrary library(context.get(), target);
  std::vector<CpuKernels::Kernel> kernels;
  for (mlir::Operation* op : ops) {
    mlir::FailureOr<int64_t> kernel = library.kernelFor(op);
    if (mlir::failed(kernel)) return nullptr;
    kernels.push_back(
        {library.kernelNames()[*kernel], library.needsOf(op)->scratchBytes});
  }
  std::unique_ptr<LoadedKernels> loaded =
      LoadedKernels::compile(library.module(), target);
  if (!loaded) return nullptr;
  return std::make_unique<CpuKernels>(std::move(loaded), std::move(kernels));
}

}  // namespace sbp::cpu
