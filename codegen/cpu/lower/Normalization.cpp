// Kernels of layer_norm, rms_norm, and their gradients.
//
// Both scale a row to unit size, x_hat = (x - mean) * scale, and then by gamma;
// rms_norm leaves the mean at zero. The gradient of such a row, with
// h = gradient * gamma, is
//
//   scale * (h - mean(h) - x_hat * mean(h * x_hat))
//
// without mean(h) for rms_norm.

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/lower/Families.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"

namespace sbp::cpu {

using namespace mlir;
using vector::CombiningKind;

namespace {

/// How one row is normalised; vectors. `mean` is null for rms_norm.
struct Normalizer {
  Value mean;
  Value scale;

  Value apply(Arithmetic& x, Value value) const {
    return x.mul(mean ? x.sub(value, mean) : value, scale);
  }
};

/// What the kernels here have in common.
class NormRows {
 public:
  NormRows(KernelBuilder& builder, const KernelArguments& arguments,
           Value input, bool hasMean, double epsilon)
      : builder_(builder),
        arguments_(arguments),
        type_(cast<RankedTensorType>(input.getType())),
        shape_(rowsAlong(type_, type_.getRank() - 1)),
        hasMean_(hasMean),
        epsilon_(epsilon) {}

  int64_t length() const { return shape_.length; }
  Type elementType() const { return type_.getElementType(); }

  void forEach(llvm::function_ref<void(Rows&)> body) {
    arguments_.loops.forEachRows(builder_, shape_, elementType(), body);
  }

  /// The mean along each row of what `term` gives.
  Value mean(Rows& rows, llvm::function_ref<Value(Rows::At)> term) {
    Arithmetic x(builder_);
    Value sum = rows.reduce(CombiningKind::ADD, term);
    return x.mul(sum, x.like(sum, 1.0 / shape_.length));
  }

  Normalizer normalizer(Rows& rows, Place input) {
    Arithmetic x(builder_);
    Normalizer result;
    if (hasMean_)
      result.mean =
          mean(rows, [&](Rows::At at) { return rows.load(input, at); });
    Value variance = mean(rows, [&](Rows::At at) {
      Value value = rows.load(input, at);
      if (hasMean_) value = x.sub(value, result.mean);
      return x.mul(value, value);
    });
    result.scale = x.div(x.like(variance, 1),
                         x.sqrt(x.add(variance, x.like(variance, epsilon_))));
    return result;
  }

 private:
  KernelBuilder& builder_;
  const KernelArguments& arguments_;
  RankedTensorType type_;
  RowShape shape_;
  bool hasMean_;
  double epsilon_;
};

/// `beta` may be absent.
void emitForward(NormRows norm, KernelBuilder& builder, Place input,
                 Place gamma, std::optional<Place> beta, Place result) {
  Arithmetic x(builder);
  norm.forEach([&](Rows& rows) {
    Normalizer normalizer = norm.normalizer(rows, input);
    rows.forEach([&](Rows::At at) {
      Value value = x.mul(normalizer.apply(x, rows.load(input, at)),
                          rows.loadShared(gamma, at));
      if (beta) value = x.add(value, rows.loadShared(*beta, at));
      rows.store(value, result, at);
    });
  });
}

void emitBackward(NormRows norm, KernelBuilder& builder, Place input,
                  Place gamma, Place gradient, Place inputGradient,
                  Place gammaGradient, std::optional<Place> betaGradient) {
  Arithmetic x(builder);
  Value zero = builder.number(norm.elementType(), 0);
  fill(builder, gammaGradient, norm.length(), zero);
  if (betaGradient) fill(builder, *betaGradient, norm.length(), zero);

  norm.forEach([&](Rows& rows) {
    Normalizer normalizer = norm.normalizer(rows, input);
    auto normalized = [&](Rows::At at) {
      return normalizer.apply(x, rows.load(input, at));
    };
    auto scaledGradient = [&](Rows::At at) {
      return x.mul(rows.load(gradient, at), rows.loadShared(gamma, at));
    };
    Value meanOfGradient;
    if (normalizer.mean) meanOfGradient = norm.mean(rows, scaledGradient);
    Value correlation = norm.mean(rows, [&](Rows::At at) {
      return x.mul(scaledGradient(at), normalized(at));
    });
    rows.forEach([&](Rows::At at) {
      Value xHat = normalized(at);
      Value direction = scaledGradient(at);
      if (meanOfGradient) direction = x.sub(direction, meanOfGradient);
      direction = x.sub(direction, x.mul(xHat, correlation));
      rows.store(x.mul(direction, normalizer.scale), inputGradient, at);

      // Sums over rows: what lies along the row is the same place for each.
      Rows::At shared{at.along, at.along, at.count};
      Value slope = rows.load(gradient, at);
      rows.store(x.add(rows.load(gammaGradient, shared), x.mul(slope, xHat)),
                 gammaGradient, shared);
      if (betaGradient)
        rows.store(x.add(rows.load(*betaGradient, shared), slope),
                   *betaGradient, shared);
    });
  });
}

void emitLayerNorm(nn::LayerNormOp op, KernelBuilder& builder,
                   const KernelArguments& arguments) {
  NormRows norm(builder, arguments, op.getInput(), /*hasMean=*/true,
                op.getEpsilon().convertToDouble());
  emitForward(norm, builder, arguments.operands[0], arguments.operands[1],
              arguments.operands[2], arguments.results[0]);
}

void emitRmsNorm(nn::RmsNormOp op, KernelBuilder& builder,
                 const KernelArguments& arguments) {
  NormRows norm(builder, arguments, op.getInput(), /*hasMean=*/false,
                op.getEpsilon().convertToDouble());
  emitForward(norm, builder, arguments.operands[0], arguments.operands[1],
              std::nullopt, arguments.results[0]);
}

void emitLayerNormGrad(nn::LayerNormGradOp op, KernelBuilder& builder,
                       const KernelArguments& arguments) {
  NormRows norm(builder, arguments, op.getInput(), /*hasMean=*/true,
                op.getEpsilon().convertToDouble());
  emitBackward(norm, builder, arguments.operands[0], arguments.operands[1],
               arguments.operands[2], arguments.results[0],
               arguments.results[1], arguments.results[2]);
}

void emitRmsNormGrad(nn::RmsNormGradOp op, KernelBuilder& builder,
                     const KernelArguments& arguments) {
  NormRows norm(builder, arguments, op.getInput(), /*hasMean=*/false,
                op.getEpsilon().convertToDouble());
  emitBackward(norm, builder, arguments.operands[0], arguments.operands[1],
               arguments.operands[2], arguments.results[0],
               arguments.results[1], std::nullopt);
}

}  // namespace

void attachNormalizationKernels(MLIRContext& context) {
  nn::LayerNormOp::attachInterface<
      SimpleKernel<nn::LayerNormOp, emitLayerNorm>>(context);
  nn::RmsNormOp::attachInterface<SimpleKernel<nn::RmsNormOp, emitRmsNorm>>(
      context);
  nn::LayerNormGradOp::attachInterface<
      SimpleKernel<nn::LayerNormGradOp, emitLayerNormGrad>>(context);
  nn::RmsNormGradOp::attachInterface<
      SimpleKernel<nn::RmsNormGradOp, emitRmsNormGrad>>(context);
}

}  // namespace sbp::cpu
