// Kernels of layer_norm and rms_norm.

#include <optional>

#include "codegen/kernels/KernelOp.h"
#include "codegen/kernels/families/AttachKernels.h"
#include "codegen/kernels/families/NormRows.h"
#include "dialects/nn/Nn.h"

namespace sbp {

using namespace mlir;

namespace {

/// Emits result = x_hat * gamma + beta; without `beta` the sum is left out.
void emitForward(NormRows norm, KernelBuilder& builder, ElementRef input,
                 ElementRef gamma, std::optional<ElementRef> beta,
                 ElementRef result) {
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

void emitLayerNorm(nn::LayerNormOp op, KernelBuilder& builder,
                   const KernelArguments& arguments) {
  NormRows norm(builder, arguments.loops, op.getInput(), /*hasMean=*/true,
                op.getEpsilon().convertToDouble());
  emitForward(norm, builder, arguments.operands[0], arguments.operands[1],
              arguments.operands[2], arguments.results[0]);
}

void emitRmsNorm(nn::RmsNormOp op, KernelBuilder& builder,
                 const KernelArguments& arguments) {
  NormRows norm(builder, arguments.loops, op.getInput(), /*hasMean=*/false,
                op.getEpsilon().convertToDouble());
  emitForward(norm, builder, arguments.operands[0], arguments.operands[1],
              std::nullopt, arguments.results[0]);
}

}  // namespace

void attachNormalizationKernels(MLIRContext& context) {
  nn::LayerNormOp::attachInterface<
      PortableKernel<nn::LayerNormOp, emitLayerNorm>>(context);
  nn::RmsNormOp::attachInterface<PortableKernel<nn::RmsNormOp, emitRmsNorm>>(
      context);
}

}  // namespace sbp
