// Kernels of batch_norm and of its gradient: element by element, of what the
// element's channel has.

#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/KernelOp.h"
#include "codegen/kernels/families/Families.h"
#include "dialects/nn/Nn.h"

namespace sbp {

using namespace mlir;

namespace {

/// 1 / sqrt(variance + epsilon)
Value inverseDeviation(Arithmetic& x, Value variance,
                       const llvm::APFloat& epsilon) {
  Value shifted = x.add(variance, x.like(variance, epsilon.convertToDouble()));
  return x.div(x.like(variance, 1), x.sqrt(shifted));
}

// ---- What an op computes of one element of each operand ----

/// Of input, mean, variance, gamma and beta.
Value compute(nn::BatchNormOp op, Arithmetic& x, ValueRange in) {
  Value scale = x.mul(in[3], inverseDeviation(x, in[2], op.getEpsilon()));
  return x.multiplyAdd(x.sub(in[0], in[1]), scale, in[4]);
}

/// Of input, mean, variance, gamma, gradient, products and sums. With
/// r = 1 / sqrt(variance + epsilon), the gradient of an element is
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

// ---- The loops around it ----

/// A tensor [C] in loops over the dimensions of `type`, [N, C, ...].
StridedTensor perChannel(RankedTensorType type, Place vector) {
  SmallVector<int64_t> strides(type.getRank(), 0);
  strides[1] = 1;
  return {vector, type.getElementType(), strides};
}

/// The kernel of an op whose result, [N, C, ...], is made of operands that lie
/// like it, and of others with an element per channel.
template <typename Op>
class ChannelwiseKernel
    : public KernelOpInterface::ExternalModel<ChannelwiseKernel<Op>, Op> {
 public:
  bool canWriteInPlace(Operation* op, unsigned, unsigned operand) const {
    return op->getOperand(operand).getType() == op->getResult(0).getType();
  }

  void buildKernel(Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<StridedTensor> inputs;
    for (auto [tensor, place] :
         llvm::zip_equal(op->getOperands(), arguments.operands))
      inputs.push_back(tensor.getType() == type ? dense(tensor, place)
                                                : perChannel(type, place));
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
  nn::BatchNormOp::attachInterface<ChannelwiseKernel<nn::BatchNormOp>>(context);
  nn::BatchNormGradOp::attachInterface<ChannelwiseKernel<nn::BatchNormGradOp>>(
      context);
}

}  // namespace sbp
