#include "codegen/cuda/lower/Kernels.h"

#include "codegen/cuda/lower/AttachKernels.h"
#include "codegen/kernels/families/PortableKernels.h"
#include "dialects/nn/Nn.h"

namespace sbp::cuda {

void registerNnKernels(mlir::DialectRegistry& registry) {
  registry.addExtension(+[](mlir::MLIRContext* context, nn::NnDialect*) {
    attachPortableKernels(*context);
    attachAttentionKernels(*context);
    attachBatchNormSumsKernels(*context);
    attachConvolutionKernels(*context);
    attachDataMovementKernels(*context);
    attachEinsumKernels(*context);
    attachEmbeddingKernels(*context);
    attachLossKernels(*context);
    attachNormalizationGradKernels(*context);
    attachPoolKernels(*context);
    attachReduceKernels(*context);
  });
}

}  // namespace sbp::cuda
