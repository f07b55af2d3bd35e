// The interfaces of ops whose kernel is written once for all targets
// (KernelOpInterface and ElementwiseOpInterface, in KernelOp.td), and a
// template that implements KernelOpInterface.

#ifndef CODEGEN_KERNELS_KERNELOP_H_
#define CODEGEN_KERNELS_KERNELOP_H_

#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/ParallelLoops.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp {

class Arithmetic;

/// The arguments of a kernel: its buffers, and the loops of its target. Each
/// tensor lies dense and row-major in its buffer, from the referenced element
/// on. An element of type i1 is stored as an i8, 0 or 1.
struct KernelArguments {
  llvm::SmallVector<ElementRef> operands;
  llvm::SmallVector<ElementRef> results;
  ParallelLoops& loops;
};

}  // namespace sbp

#include "codegen/kernels/KernelOp.h.inc"

namespace sbp {

/// Implements KernelOpInterface for `Op` by the function `kEmit`, which emits
/// the code. Any result may be written to the buffer of any operand whose
/// number is in `kOperandsInPlace`.
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
