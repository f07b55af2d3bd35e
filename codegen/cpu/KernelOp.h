// The interface of ops that have a kernel for CPUs only, and the choice between
// that kernel and the one for all targets.

#ifndef CODEGEN_CPU_KERNELOP_H_
#define CODEGEN_CPU_KERNELOP_H_

#include <optional>

#include "codegen/cpu/Target.h"
#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/KernelOp.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::cpu {

/// Arguments of a kernel's code: those for all targets
/// (codegen/kernels/KernelOp.h), scratch memory, and the CPU.
struct KernelArguments : sbp::KernelArguments {
  ElementRef scratch;  // bytes (i8), aligned like every buffer
  const Target& target;
};

}  // namespace sbp::cpu

#include "codegen/cpu/KernelOp.h.inc"

namespace sbp::cpu {

/// Implements the interface for `Op` by the function `kEmit`, which emits the
/// code, for kernels without scratch memory. The result may be in the buffer of
/// an operand in `kOperandsInPlace`.
template <typename Op,
          void (*kEmit)(Op, KernelBuilder&, const KernelArguments&),
          unsigned... kOperandsInPlace>
class SimpleKernel : public CpuKernelOpInterface::ExternalModel<
                         SimpleKernel<Op, kEmit, kOperandsInPlace...>, Op> {
 public:
  bool canWriteInPlace(mlir::Operation*, unsigned, unsigned operand) const {
    return ((operand == kOperandsInPlace) || ...);
  }

  void buildKernel(mlir::Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    kEmit(llvm::cast<Op>(op), builder, arguments);
  }
};

/// The kernel of an op on a CPU: the one for CPUs, or else the one for all
/// targets.
class CpuKernel {
 public:
  /// Returns the kernel of `op`; nothing if it has none.
  static std::optional<CpuKernel> of(mlir::Operation* op);

  int64_t scratchBytes(const Target& target) const {
    return own_ ? CpuKernelOpInterface(own_).getScratchBytes(target) : 0;
  }
  bool canWriteInPlace(unsigned result, unsigned operand) const;
  void build(KernelBuilder& builder, const KernelArguments& arguments) const;

 private:
  CpuKernelOpInterface own_;  // null if the portable one is used
  KernelOpInterface portable_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_KERNELOP_H_
