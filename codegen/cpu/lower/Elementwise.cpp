// Kernels of ops that work element by element, broadcasting.

#include <cmath>

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/lower/Arithmetic.h"
#include "codegen/cpu/lower/Families.h"
#include "codegen/cpu/lower/StridedLoops.h"
#include "dialects/nn/Nn.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

// ---- What an op computes of one element of each operand ----

Value compute(nn::NegOp, Arithmetic& x, ValueRange in) { return x.neg(in[0]); }
Value compute(nn::ExpOp, Arithmetic& x, ValueRange in) { return x.exp(in[0]); }
Value compute(nn::LogOp, Arithmetic& x, ValueRange in) { return x.log(in[0]); }
Value compute(nn::SqrtOp, Arithmetic& x, ValueRange in) {
  return x.sqrt(in[0]);
}
Value compute(nn::RsqrtOp, Arithmetic& x, ValueRange in) {
  return x.div(x.like(in[0], 1), x.sqrt(in[0]));
}
Value compute(nn::TanhOp, Arithmetic& x, ValueRange in) {
  return x.tanh(in[0]);
}
Value compute(nn::SigmoidOp, Arithmetic& x, ValueRange in) {
  return x.sigmoid(in[0]);
}
Value compute(nn::ReluOp, Arithmetic& x, ValueRange in) {
  return x.max(in[0], x.like(in[0], 0));
}
Value compute(nn::SiluOp, Arithmetic& x, ValueRange in) {
  return x.mul(in[0], x.sigmoid(in[0]));
}
Value compute(nn::AddOp, Arithmetic& x, ValueRange in) {
  return x.add(in[0], in[1]);
}
Value compute(nn::SubOp, Arithmetic& x, ValueRange in) {
  return x.sub(in[0], in[1]);
}
Value compute(nn::MulOp, Arithmetic& x, ValueRange in) {
  return x.mul(in[0], in[1]);
}
Value compute(nn::DivOp, Arithmetic& x, ValueRange in) {
  return x.div(in[0], in[1]);
}
Value compute(nn::MaxOp, Arithmetic& x, ValueRange in) {
  return x.max(in[0], in[1]);
}
Value compute(nn::MinOp, Arithmetic& x, ValueRange in) {
  return x.min(in[0], in[1]);
}
Value compute(nn::SelectOp, Arithmetic& x, ValueRange in) {
  return x.select(in[0], in[1], in[2]);
}
Value compute(nn::CompareOp op, Arithmetic& x, ValueRange in) {
  return x.compare(op.getPredicate(), in[0], in[1]);
}
Value compute(nn::CastOp op, Arithmetic& x, ValueRange in) {
  return x.cast(in[0], getElementTypeOrSelf(op.getResult()));
}

/// Phi(x), the distribution function of the normal distribution: exactly, or by
/// the approximation with tanh. Also the inner argument of the latter.
struct NormalDistribution {
  Value phi;
  Value tanh;  // null if exact
};

constexpr double kTanhCubic = 0.044715;
const double kTanhScale = std::sqrt(2 / M_PI);

NormalDistribution distribution(Arithmetic& x, Value in, bool usesTanh) {
  Value half = x.like(in, 0.5);
  if (!usesTanh) {
    Value erf = x.erf(x.mul(in, x.like(in, std::sqrt(0.5))));
    return {x.multiplyAdd(half, erf, half), Value()};
  }
  // sqrt(2/pi) * (x + 0.044715 x^3)
  Value inner = x.mul(
      x.mul(in, x.like(in, kTanhScale)),
      x.multiplyAdd(x.mul(in, in), x.like(in, kTanhCubic), x.like(in, 1)));
  Value tanh = x.tanh(inner);
  return {x.multiplyAdd(half, tanh, half), tanh};
}

Value compute(nn::GeluOp op, Arithmetic& x, ValueRange in) {
  return x.mul(in[0], distribution(x, in[0], op.getTanh()).phi);
}

/// The derivative is Phi(x) + x * Phi'(x).
Value compute(nn::GeluGradOp op, Arithmetic& x, ValueRange in) {
  Value input = in[0];
  NormalDistribution normal = distribution(x, input, op.getTanh());
  Value square = x.mul(input, input);
  Value density;
  if (op.getTanh()) {
    Value inner =
        x.multiplyAdd(square, x.like(input, 3 * kTanhCubic), x.like(input, 1));
    Value sech = x.sub(x.like(input, 1), x.mul(normal.tanh, normal.tanh));
    density = x.mul(x.mul(sech, inner), x.like(input, kTanhScale / 2));
  } else {
    Value exp = x.exp(x.mul(square, x.like(input, -0.5)));
    density = x.mul(exp, x.like(input, 1 / std::sqrt(2 * M_PI)));
  }
  return x.mul(in[1], x.multiplyAdd(input, density, normal.phi));
}

/// The derivative is s * (1 + x * (1 - s)), s = sigmoid(x).
Value compute(nn::SiluGradOp, Arithmetic& x, ValueRange in) {
  Value one = x.like(in[0], 1);
  Value sigmoid = x.sigmoid(in[0]);
  Value slope = x.mul(sigmoid, x.multiplyAdd(in[0], x.sub(one, sigmoid), one));
  return x.mul(in[1], slope);
}

// ---- The loops around it ----

template <typename Op>
class ElementwiseKernel
    : public CpuKernelOpInterface::ExternalModel<ElementwiseKernel<Op>, Op> {
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
      inputs.push_back(broadcastTo(type.getShape(), tensor, place));
    StridedTensor output =
        broadcastTo(type.getShape(), op->getResult(0), arguments.results[0]);
    Arithmetic arithmetic(builder);
    buildStridedLoops(builder, type.getShape(), inputs, output,
                      [&](ValueRange elements) -> SmallVector<Value> {
                        return {compute(cast<Op>(op), arithmetic, elements)};
                      });
  }
};

template <typename... Ops>
void attach(MLIRContext& context) {
  (Ops::template attachInterface<ElementwiseKernel<Ops>>(context), ...);
}

}  // namespace

void attachElementwiseKernels(MLIRContext& context) {
  attach<nn::NegOp, nn::ExpOp, nn::LogOp, nn::SqrtOp, nn::RsqrtOp, nn::TanhOp,
         nn::SigmoidOp, nn::ReluOp, nn::SiluOp, nn::GeluOp, nn::CastOp,
         nn::AddOp, nn::SubOp, nn::MulOp, nn::DivOp, nn::MaxOp, nn::MinOp,
         nn::CompareOp, nn::SelectOp, nn::GeluGradOp, nn::SiluGradOp>(context);
}

}  // namespace sbp::cpu
