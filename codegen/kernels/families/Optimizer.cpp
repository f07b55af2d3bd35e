// Kernels of the optimisers' steps: SGD, momentum and Adam. All can work in
// place: a parameter and its state are read and written in one pass.
//
// If elements are shorter than f32, a step is computed in f32 and its results
// are rounded. A bf16 parameter does not change by a step below 1/512 of its
// value. So training in bf16 should keep parameters and their state in f32, and
// cast them for the forward pass.

#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/KernelOp.h"
#include "codegen/kernels/families/AttachKernels.h"
#include "dialects/nn/Nn.h"

namespace sbp {

using namespace mlir;

namespace {

// Each `step` emits one step of an optimiser for one element. `in` holds an
// element of each operand, in the order of the op; scalar operands are the same
// for all elements.

SmallVector<Value> step(nn::SgdOp op, Arithmetic& x, ValueRange in) {
  Value parameter = in[0], gradient = in[1], learningRate = in[2];
  Value decay = x.like(parameter, op.getWeightDecay().convertToDouble());
  Value direction = x.multiplyAdd(decay, parameter, gradient);
  return {x.sub(parameter, x.mul(learningRate, direction))};
}

SmallVector<Value> step(nn::MomentumOp op, Arithmetic& x, ValueRange in) {
  Value parameter = in[0], gradient = in[1], velocity = in[2],
        learningRate = in[3];
  Value decay = x.like(parameter, op.getWeightDecay().convertToDouble());
  Value momentum = x.like(parameter, op.getMomentum().convertToDouble());
  velocity = x.multiplyAdd(momentum, velocity,
                           x.multiplyAdd(decay, parameter, gradient));
  return {x.sub(parameter, x.mul(learningRate, velocity)), velocity};
}

SmallVector<Value> step(nn::AdamOp op, Arithmetic& x, ValueRange in) {
  Value parameter = in[0], gradient = in[1], first = in[2], second = in[3],
        firstCorrection = in[4], secondCorrection = in[5], learningRate = in[6];
  double beta1 = op.getBeta1().convertToDouble();
  double beta2 = op.getBeta2().convertToDouble();
  Value decay = x.like(parameter, op.getWeightDecay().convertToDouble());
  if (op.getDecoupled())
    parameter = x.sub(parameter, x.mul(x.mul(learningRate, decay), parameter));
  else
    gradient = x.multiplyAdd(decay, parameter, gradient);

  first = x.multiplyAdd(x.like(first, beta1), first,
                        x.mul(x.like(first, 1 - beta1), gradient));
  second = x.multiplyAdd(
      x.like(second, beta2), second,
      x.mul(x.like(second, 1 - beta2), x.mul(gradient, gradient)));
  Value denominator = x.add(x.sqrt(x.div(second, secondCorrection)),
                            x.like(second, op.getEpsilon().convertToDouble()));
  Value stepSize = x.div(learningRate, firstCorrection);
  return {x.sub(parameter, x.div(x.mul(stepSize, first), denominator)), first,
          second};
}

/// The kernel of an optimiser's op: loops over the elements of the parameter.
template <typename Op>
class OptimizerKernel
    : public KernelOpInterface::ExternalModel<OptimizerKernel<Op>, Op> {
 public:
  bool canWriteInPlace(Operation* op, unsigned result, unsigned operand) const {
    return op->getResult(result).getType() == op->getOperand(operand).getType();
  }

  void buildKernel(Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<StridedTensor> inputs, outputs;
    for (auto [tensor, ref] :
         llvm::zip_equal(op->getOperands(), arguments.operands))
      inputs.push_back(broadcastTo(type.getShape(), tensor, ref));
    for (auto [tensor, ref] :
         llvm::zip_equal(op->getResults(), arguments.results))
      outputs.push_back(broadcastTo(type.getShape(), tensor, ref));
    Arithmetic arithmetic(builder);
    arguments.loops.forEachElement(
        builder, type.getShape(), inputs, outputs, [&](ValueRange elements) {
          return step(cast<Op>(op), arithmetic, elements);
        });
  }
};

}  // namespace

void attachOptimizerKernels(MLIRContext& context) {
  nn::SgdOp::attachInterface<OptimizerKernel<nn::SgdOp>>(context);
  nn::MomentumOp::attachInterface<OptimizerKernel<nn::MomentumOp>>(context);
  nn::AdamOp::attachInterface<OptimizerKernel<nn::AdamOp>>(context);
}

}  // namespace sbp
