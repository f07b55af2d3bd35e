// The kernel of nn.einsum.

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/contraction/Blocking.h"
#include "codegen/cpu/contraction/BuildContraction.h"
#include "codegen/cpu/lower/AttachKernels.h"
#include "codegen/kernels/Contraction.h"
#include "dialects/nn/Nn.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

class EinsumKernel
    : public CpuKernelOpInterface::ExternalModel<EinsumKernel, nn::EinsumOp> {
 public:
  int64_t getCpuScratchBytes(Operation* op, const Target& target) const {
    auto einsum = cast<nn::EinsumOp>(op);
    return blockingOf(einsum, target).scratchElements() * elementBytes(einsum);
  }

  void buildKernel(Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    auto einsum = cast<nn::EinsumOp>(op);
    Blocking blocking = blockingOf(einsum, arguments.target);
    ElementRef scratch;
    if (int64_t elements = blocking.scratchElements())
      scratch =
          builder.view(arguments.scratch, 0, elementType(einsum), elements);
    buildContraction(builder, contraction(einsum), blocking,
                     arguments.operands[0], arguments.operands[1],
                     arguments.results[0], scratch);
  }

 private:
  static Type elementType(nn::EinsumOp op) {
    return getElementTypeOrSelf(op.getResult());
  }
  static int64_t elementBytes(nn::EinsumOp op) {
    return elementType(op).getIntOrFloatBitWidth() / 8;
  }
  static Contraction contraction(nn::EinsumOp op) {
    return contractionOf(
        op.getEquation(),
        cast<RankedTensorType>(op.getLhs().getType()).getShape(),
        cast<RankedTensorType>(op.getRhs().getType()).getShape());
  }
  static Blocking blockingOf(nn::EinsumOp op, const Target& target) {
    return chooseBlocking(contraction(op), target, elementBytes(op));
  }
};

}  // namespace

void attachEinsumKernels(MLIRContext& context) {
  nn::EinsumOp::attachInterface<EinsumKernel>(context);
}

}  // namespace sbp::cpu
