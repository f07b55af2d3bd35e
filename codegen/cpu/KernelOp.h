// The interface of ops that have a kernel of their own for CPUs
// (CpuKernelOpInterface, in KernelOp.td), and the choice of an op's kernel on a
// CPU.

#ifndef CODEGEN_CPU_KERNELOP_H_
#define CODEGEN_CPU_KERNELOP_H_

#include <optional>

#include "codegen/cpu/Target.h"
#include "codegen/kernels/CommonKernel.h"
#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/KernelOp.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::cpu {

/// The arguments of a kernel: those that kernels of all targets have
/// (codegen/kernels/KernelOp.h), scratch memory, and the CPU.
struct KernelArguments : sbp::KernelArguments {
  /// The scratch memory: elements of i8, aligned to kBufferAlignment. Null if
  /// the kernel needs no scratch memory.
  ElementRef scratch;
  const Target& target;
};

}  // namespace sbp::cpu

#include "codegen/cpu/KernelOp.h.inc"

namespace sbp::cpu {

/// Implements CpuKernelOpInterface for `Op` by a kernel without scratch memory,
/// whose code `kEmit` emits. Any result may be written to the buffer of any
/// operand whose number is in `kOperandsInPlace`.
template <typename Op,
          void (*kEmit)(Op, KernelBuilder&, const KernelArguments&),
          unsigned... kOperandsInPlace>
class SimpleKernel : public CpuKernelOpInterface::ExternalModel<
                         SimpleKernel<Op, kEmit, kOperandsInPlace...>, Op> {
 public:
  bool canWriteInPlaceOnCpu(mlir::Operation*, unsigned,
                            unsigned operand) const {
    return ((operand == kOperandsInPlace) || ...);
  }

  void buildKernel(mlir::Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    kEmit(llvm::cast<Op>(op), builder, arguments);
  }
};

/// The kernel of an op on a CPU: the op's own kernel for CPUs, if it has one,
/// or else its kernel for all targets.
class CpuKernel {
 public:
  /// Returns the kernel of `op`, or nullopt if the op has none.
  static std::optional<CpuKernel> of(mlir::Operation* op);

  /// Bytes of the scratch buffer of the kernel; 0 if it needs none.
  int64_t scratchBytes(const Target& target) const {
    return own_ ? CpuKernelOpInterface(own_).getCpuScratchBytes(target) : 0;
  }
  /// Whether result `result` may be written to the buffer of operand `operand`.
  bool canWriteInPlace(unsigned result, unsigned operand) const;
  /// Emits the code of the kernel.
  void build(KernelBuilder& builder, const KernelArguments& arguments) const;

 private:
  CpuKernelOpInterface own_;            // the kernel for CPUs, or null
  std::optional<CommonKernel> common_;  // the common kernel, or nullopt
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_KERNELOP_H_
