// Kernels for GPUs, to be tested: run on this CPU in several orders of their
// threads (codegen/cuda/simt/Machine.h).

#include <cstring>
#include <string>
#include <utility>

#include "codegen/cuda/Chip.h"
#include "codegen/cuda/DeviceCode.h"
#include "codegen/cuda/DeviceKernels.h"
#include "codegen/cuda/LowerToLlvm.h"
#include "codegen/cuda/lower/Kernels.h"
#include "codegen/cuda/simt/Machine.h"
#include "codegen/kernels/testing/KernelsTest.h"
#include "fmt/format.h"

namespace sbp::cuda {
namespace {

class CudaKernels : public RunnableKernels {
 public:
  struct Kernel {
    std::string name;
    std::vector<Launch> launches;
    int64_t scratchBytes = 0;
  };

  CudaKernels(std::unique_ptr<simt::Machine> machine,
              std::vector<Kernel> kernels)
      : machine_(std::move(machine)), kernels_(std::move(kernels)) {}

  int64_t scratchBytes(size_t op) const override {
    return kernels_[op].scratchBytes;
  }
  std::string name(size_t op) const override { return kernels_[op].name; }

  /// Runs it in all orders, which have to give the same bits.
  std::string run(size_t op, const std::vector<Buffer>& buffers) override {
    const Kernel& kernel = kernels_[op];
    std::vector<simt::Buffer> arguments;
    for (const Buffer& buffer : buffers)
      arguments.push_back({buffer.begin, buffer.bytes});
    const auto contents = [&] {
      std::vector<std::string> bytes;
      for (const Buffer& buffer : buffers)
        bytes.emplace_back(static_cast<const char*>(buffer.begin),
                           buffer.bytes);
      return bytes;
    };
    const std::vector<std::string> before = contents();
    std::vector<std::string> expected;
    for (const simt::Order order : simt::kOrders) {
      for (size_t i = 0; i < buffers.size(); ++i)
        std::memcpy(buffers[i].begin, before[i].data(), before[i].size());
      for (const Launch& launch : kernel.launches) {
        const absl::Status status = machine_->run(
            launch.function, launch.blocks, launch.threads, arguments, order);
        if (!status.ok()) return std::string(status.message());
      }
      if (expected.empty())
        expected = contents();
      else if (contents() != expected)
        return fmt::format(
            "another order of threads, number {}, gives "
            "something else",
            static_cast<int>(order));
    }
    return "";
  }

 private:
  std::unique_ptr<simt::Machine> machine_;
  std::vector<Kernel> kernels_;
};

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
    DeviceKernels library(&context_);
    std::vector<CudaKernels::Kernel> kernels;
    for (mlir::Operation* op : ops) {
      FailureOr<int64_t> kernel = library.kernelFor(op);
      if (failed(kernel)) return nullptr;
      kernels.push_back({library.kernelNames()[*kernel],
                         library.launches()[*kernel],
                         library.needsOf(op)->scratchBytes});
    }
    if (failed(lowerToLlvm(library.kernels()))) return nullptr;
    FailureOr<DeviceCode> code = DeviceCode::of(library.kernels(), chip_);
    if (failed(code)) return nullptr;
    FailureOr<std::string> ptx = code->ptx(library.kernels().getLoc());
    if (failed(ptx)) return nullptr;
    // Registers alone: what lies in a thread's own memory is slow.
    if (ptx->find(".local") != std::string::npos) {
      library.kernels().emitError("a kernel has local memory");
      return nullptr;
    }
    absl::StatusOr<std::unique_ptr<simt::Machine>> machine =
        simt::Machine::load(code->module());
    if (!machine.ok()) {
      library.kernels().emitError(std::string(machine.status().message()));
      return nullptr;
    }
    return std::make_unique<CudaKernels>(std::move(*machine),
                                         std::move(kernels));
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
