#include "codegen/kernels/CommonKernel.h"

#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/ElementCode.h"
#include "codegen/kernels/StridedTensor.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

using namespace mlir;

std::optional<CommonKernel> CommonKernel::of(Operation* op) {
  CommonKernel kernel(op);
  kernel.own_ = dyn_cast<KernelOpInterface>(op);
  if (!kernel.own_ && !ElementCode::existsFor(op)) return std::nullopt;
  return kernel;
}

bool CommonKernel::canWriteInPlace(unsigned result, unsigned operand) const {
  if (own_) return KernelOpInterface(own_).canWriteInPlace(result, operand);
  return op_->getOperand(operand).getType() == op_->getResult(result).getType();
}

void CommonKernel::build(KernelBuilder& builder,
                         const KernelArguments& arguments) const {
  if (own_) return KernelOpInterface(own_).buildKernel(builder, arguments);
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op_->getResult(0).getType()).getShape();
  SmallVector<StridedTensor> inputs, outputs;
  for (auto [tensor, ref] :
       llvm::zip_equal(op_->getOperands(), arguments.operands))
    inputs.push_back(broadcastTo(shape, tensor, ref));
  for (auto [tensor, ref] :
       llvm::zip_equal(op_->getResults(), arguments.results))
    outputs.push_back(dense(tensor, ref));
  ElementCode code(builder, arguments.loops);
  arguments.loops.forEachElement(
      builder, shape, inputs, outputs,
      [&](ValueRange elements) { return code.emit(op_, elements); });
}

}  // namespace sbp
