#include "codegen/cpu/KernelMemory.h"

#include "codegen/cpu/KernelOp.h"
#include "dialects/sbp/KernelMemory.h"
#include "dialects/sbp/Sbp.h"

namespace sbp::cpu {
namespace {

class CpuKernelMemory : public KernelMemory {
 public:
  CpuKernelMemory(mlir::Dialect* dialect, const Target& target)
      : KernelMemory(dialect), target_(target) {}

  int64_t workingBytes(mlir::Operation* op) const override {
    const std::optional<CpuKernel> kernel = CpuKernel::of(op);
    return kernel ? kernel->scratchBytes(target_) : 0;
  }

  bool mayOverwrite(mlir::Operation* op, unsigned result) const override {
    const std::optional<CpuKernel> kernel = CpuKernel::of(op);
    if (!kernel) return true;
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
      if (kernel->canWriteInPlace(result, operand)) return true;
    return false;
  }

 private:
  Target target_;
};

}  // namespace

void addKernelMemory(mlir::MLIRContext& context, const Target& target) {
  auto* dialect = context.getOrLoadDialect<SbpDialect>();
  dialect->addInterface(std::make_unique<CpuKernelMemory>(dialect, target));
}

}  // namespace sbp::cpu
