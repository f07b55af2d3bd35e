// Kernels of the gradients of layer_norm and rms_norm.

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/lower/AttachKernels.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/StridedTensor.h"
#include "codegen/kernels/families/NormRows.h"
#include "dialects/nn/Nn.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

void emitBackward(NormRows norm, KernelBuilder& builder, ElementRef input,
                  ElementRef gamma, ElementRef gradient,
                  ElementRef inputGradient, ElementRef gammaGradient,
                  std::optional<ElementRef> betaGradient) {
  Arithmetic x(builder);
  Value zero = builder.number(norm.elementType(), 0);
  fill(builder, gammaGradient, norm.length(), zero);
  if (betaGradient) fill(builder, *betaGradient, norm.length(), zero);

  norm.forEach([&](Rows& rows) {
    Normalizer normalizer = norm.normalizer(rows, input);
    NormRows::Means means =
        norm.meansOf(rows, normalizer, input, gamma, gradient);
    rows.forEach([&](Rows::At at) {
      rows.store(norm.inputGradient(rows, at, normalizer, means, input, gamma,
                                    gradient),
                 inputGradient, at);

      // The gradients of gamma and beta are sums over rows: they are indexed by
      // the position along the row.
      Rows::At shared{at.along, at.along, at.count};
      Value slope = rows.load(gradient, at);
      Value xHat = normalizer.apply(x, rows.load(input, at));
      rows.store(x.add(rows.load(gammaGradient, shared), x.mul(slope, xHat)),
                 gammaGradient, shared);
      if (betaGradient)
        rows.store(x.add(rows.load(*betaGradient, shared), slope),
                   *betaGradient, shared);
    });
  });
}

void emitLayerNormGrad(nn::LayerNormGradOp op, KernelBuilder& builder,
                       const KernelArguments& arguments) {
  NormRows norm(builder, arguments.loops, op.getInput(), /*hasMean=*/true,
                op.getEpsilon().convertToDouble());
  emitBackward(norm, builder, arguments.operands[0], arguments.operands[1],
               arguments.operands[2], arguments.results[0],
               arguments.results[1], arguments.results[2]);
}

void emitRmsNormGrad(nn::RmsNormGradOp op, KernelBuilder& builder,
                     const KernelArguments& arguments) {
  NormRows norm(builder, arguments.loops, op.getInput(), /*hasMean=*/false,
                op.getEpsilon().convertToDouble());
  emitBackward(norm, builder, arguments.operands[0], arguments.operands[1],
               arguments.operands[2], arguments.results[0],
               arguments.results[1], std::nullopt);
}

}  // namespace

void attachNormalizationGradKernels(MLIRContext& context) {
  nn::LayerNormGradOp::attachInterface<
      SimpleKernel<nn::LayerNormGradOp, emitLayerNormGrad>>(context);
  nn::RmsNormGradOp::attachInterface<
      SimpleKernel<nn::RmsNormGradOp, emitRmsNormGrad>>(context);
}

}  // namespace sbp::cpu
