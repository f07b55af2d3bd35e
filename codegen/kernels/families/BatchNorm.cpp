// Kernels of batch_norm and of its gradient. Both are computed element by
// element, from the statistics of the element's channel.

#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/KernelOp.h"
#include "codegen/kernels/StridedTensor.h"
#include "codegen/kernels/families/AttachKernels.h"
#include "dialects/nn/Nn.h"

namespace sbp {

using namespace mlir;

namespace {

/// Returns 1 / sqrt(variance + epsilon).
Value inverseDeviation(Arithmetic& x, Value variance,
                       const llvm::APFloat& epsilon) {
  Value shifted = x.add(variance, x.like(variance, epsilon.convertToDouble()));
  return x.div(x.like(variance, 1), x.sqrt(shifted));
}

// ---- Formulas for one element of each operand ----

/// Emits (input - mean) * gamma / sqrt(variance + epsilon) + beta. The operands
/// are input, mean, variance, gamma and beta.
Value compute(nn::BatchNormOp op, Arithmetic& x, ValueRange in) {
  Value scale = x.mul(in[3], inverseDeviation(x, in[2], op.getEpsilon()));
  return x.multiplyAdd(x.sub(in[0], in[1]), scale, in[4]);
}

/// Emits the gradient of an input element x. The operands are input x, mean,
/// variance, gamma, gradient g, products and sums; the last two are the results
/// of nn.batch_norm_sums. With r = 1 / sqrt(variance + epsilon) it is
///
///   a * g + b * (x - mean) + c     a = gamma * r, c = -a * sums / count
///                                  b = -a * r^2 * products / count
Value compute(nn::BatchNormGradOp op, Arithmetic& x, ValueRange in) {
  Value r = inverseDeviation(x, in[2], op.getEpsilon());
  Value a = x.mul(in[3], r);
  Value perElement = x.div(x.neg(a), x.like(a, op.getDivisor()));
  Value b = x.mul(x.mul(perElement, x.mul(r, r)), in[5]);
  Value c = x.mul(perElement, in[6]);
  Value own = x.multiplyAdd(in[4], a, c);
  return x.multiplyAdd(x.sub(in[0], in[1]), b, own);
}

/// Returns `tensor` for loops over the result's dimensions [N, C, ...]. The
/// tensor has the type of the result, or one element per channel.
StridedTensor operandOf(RankedTensorType result, Value tensor,
                        ElementRef first) {
  if (tensor.getType() == result) return dense(tensor, first);
  SmallVector<int64_t> strides(result.getRank(), 0);
  strides[1] = 1;
  return {first, result.getElementType(), strides};
}

/// Implements KernelOpInterface for `Op` by its formula.
template <typename Op>
class Formula : public KernelOpInterface::ExternalModel<Formula<Op>, Op> {
 public:
  bool canWriteInPlace(Operation* op, unsigned, unsigned operand) const {
    return op->getOperand(operand).getType() == op->getResult(0).getType();
  }

  void buildKernel(Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<StridedTensor> inputs;
    for (auto [tensor, ref] :
         llvm::zip_equal(op->getOperands(), arguments.operands))
      inputs.push_back(operandOf(type, tensor, ref));
    Arithmetic arithmetic(builder);
    arguments.loops.forEachElement(
        builder, type.getShape(), inputs,
        dense(op->getResult(0), arguments.results[0]),
        [&](ValueRange elements) -> SmallVector<Value> {
          return {compute(cast<Op>(op), arithmetic, elements)};
        });
  }
};

}  // namespace

void attachBatchNormKernels(MLIRContext& context) {
  nn::BatchNormOp::attachInterface<Formula<nn::BatchNormOp>>(context);
  nn::BatchNormGradOp::attachInterface<Formula<nn::BatchNormGradOp>>(context);
}

}  // namespace sbp
