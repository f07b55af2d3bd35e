#include "codegen/cpu/lower/Kernels.h"

#include "codegen/cpu/lower/Families.h"
#include "dialects/nn/Nn.h"

namespace sbp::cpu {

void registerNnKernels(mlir::DialectRegistry& registry) {
  registry.addExtension(+[](mlir::MLIRContext* context, nn::NnDialect*) {
    attachAttentionKernels(*context);
    attachBatchNormKernels(*context);
    attachConvolutionKernels(*context);
    attachDataMovementKernels(*context);
    attachEinsumKernels(*context);
    attachElementwiseKernels(*context);
    attachEmbeddingKernels(*context);
    attachLossKernels(*context);
    attachNormalizationKernels(*context);
    attachOptimizerKernels(*context);
    attachPoolKernels(*context);
    attachReduceKernels(*context);
    attachSoftmaxKernels(*context);
  });
}

}  // namespace sbp::cpu
