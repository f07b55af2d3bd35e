// The kernel of an op that computes each element of its result from one element
// of each operand.

#ifndef CODEGEN_KERNELS_FAMILIES_ELEMENTWISEKERNEL_H_
#define CODEGEN_KERNELS_FAMILIES_ELEMENTWISEKERNEL_H_

#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/KernelOp.h"
#include "codegen/kernels/StridedTensor.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

/// Returns the operand `tensor`, which begins at `first`, broadcast to the
/// shape of `result`.
inline StridedTensor broadcastOperand(mlir::RankedTensorType result,
                                      mlir::Value tensor, ElementRef first) {
  return broadcastTo(result.getShape(), tensor, first);
}

/// Implements KernelOpInterface for `Op`. `kCompute` emits the formula for one
/// element; `kOperand` returns the layout of an operand for loops over the
/// dimensions of the result. The result may be written to the buffer of an
/// operand of the same type.
template <typename Op,
          mlir::Value (*kCompute)(Op, Arithmetic&, mlir::ValueRange),
          StridedTensor (*kOperand)(mlir::RankedTensorType, mlir::Value,
                                    ElementRef) = broadcastOperand>
class ElementwiseKernel : public KernelOpInterface::ExternalModel<
                              ElementwiseKernel<Op, kCompute, kOperand>, Op> {
 public:
  bool canWriteInPlace(mlir::Operation* op, unsigned, unsigned operand) const {
    return op->getOperand(operand).getType() == op->getResult(0).getType();
  }

  void buildKernel(mlir::Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    auto type = llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType());
    llvm::SmallVector<StridedTensor> inputs;
    for (auto [tensor, ref] :
         llvm::zip_equal(op->getOperands(), arguments.operands))
      inputs.push_back(kOperand(type, tensor, ref));
    Arithmetic arithmetic(builder);
    arguments.loops.forEachElement(
        builder, type.getShape(), inputs,
        dense(op->getResult(0), arguments.results[0]),
        [&](mlir::ValueRange elements) -> llvm::SmallVector<mlir::Value> {
          return {kCompute(llvm::cast<Op>(op), arithmetic, elements)};
        });
  }
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_FAMILIES_ELEMENTWISEKERNEL_H_
