// The interface of ops that have a CPU kernel.

#ifndef CODEGEN_CPU_KERNELOP_H_
#define CODEGEN_CPU_KERNELOP_H_

#include "codegen/cpu/Target.h"
#include "codegen/kernels/KernelBuilder.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::cpu {

/// What the code of a kernel has to work with. A tensor's elements lie densely,
/// row-major, from its place on; an element of type i1 is an i8, 0 or 1.
struct KernelArguments {
  llvm::SmallVector<Place> operands;
  llvm::SmallVector<Place> results;
  Place scratch;  // of i8, aligned like every buffer
  const Target& target;
};

/// The type in which elements of a tensor lie in memory: i8 for i1.
mlir::Type memoryType(mlir::Type elementType);

}  // namespace sbp::cpu

#include "codegen/cpu/KernelOp.h.inc"

namespace sbp::cpu {

/// The interface for `Op`, by one function that emits the code, for kernels
/// that need no scratch memory.
template <typename Op,
          void (*kEmit)(Op, KernelBuilder&, const KernelArguments&)>
class SimpleKernel
    : public CpuKernelOpInterface::ExternalModel<SimpleKernel<Op, kEmit>, Op> {
 public:
  void buildKernel(mlir::Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    kEmit(llvm::cast<Op>(op), builder, arguments);
  }
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_KERNELOP_H_
