// The interface of ops whose kernel is written once for all targets.

#ifndef CODEGEN_KERNELS_KERNELOP_H_
#define CODEGEN_KERNELS_KERNELOP_H_

#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/ParallelLoops.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp {

/// What the code of a kernel has to work with. A tensor's elements lie densely,
/// row-major, from its place on; an element of type i1 is an i8, 0 or 1.
struct KernelArguments {
  llvm::SmallVector<Place> operands;
  llvm::SmallVector<Place> results;
  ParallelLoops& loops;
};

}  // namespace sbp

#include "codegen/kernels/KernelOp.h.inc"

namespace sbp {

/// The interface for `Op`, by one function that emits the code; its result may
/// be in the buffer of one of `kOperandsInPlace`.
template <typename Op,
          void (*kEmit)(Op, KernelBuilder&, const KernelArguments&),
          unsigned... kOperandsInPlace>
class PortableKernel : public KernelOpInterface::ExternalModel<
                           PortableKernel<Op, kEmit, kOperandsInPlace...>, Op> {
 public:
  bool canWriteInPlace(mlir::Operation*, unsigned, unsigned operand) const {
    return ((operand == kOperandsInPlace) || ...);
  }

  void buildKernel(mlir::Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    kEmit(llvm::cast<Op>(op), builder, arguments);
  }
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_KERNELOP_H_
