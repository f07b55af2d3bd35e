// The interface of ops that have a kernel for CPUs alone, and the kernels that
// ops have on a CPU.

#ifndef CODEGEN_CPU_KERNELOP_H_
#define CODEGEN_CPU_KERNELOP_H_

#include <optional>

#include "codegen/cpu/Target.h"
#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/KernelOp.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::cpu {

/// What the code of a kernel has to work with (codegen/kernels/KernelOp.h).
struct KernelArguments : sbp::KernelArguments {
  ElementRef scratch;  // of i8, aligned like every buffer
  const Target& target;
};

}  // namespace sbp::cpu

#include "codegen/cpu/KernelOp.h.inc"

namespace sbp::cpu {

/// The interface for `Op`, by one function that emits the code, for kernels
/// that need no scratch memory; its result may be in the buffer of one of
/// `kOperandsInPlace`.
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

/// The kernel of an op on a CPU: its own one, or else that for all targets.
class CpuKernel {
 public:
  /// None if the op has no kernel.
  static std::optional<CpuKernel> of(mlir::Operation* op);

  int64_t scratchBytes(const Target& target) const {
    return own_ ? CpuKernelOpInterface(own_).getScratchBytes(target) : 0;
  }
  bool canWriteInPlace(unsigned result, unsigned operand) const;
  void build(KernelBuilder& builder, const KernelArguments& arguments) const;

 private:
  CpuKernelOpInterface own_;  // one of these is null
  KernelOpInterface portable_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_KERNELOP_H_
