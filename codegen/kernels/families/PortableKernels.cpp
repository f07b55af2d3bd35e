#include "codegen/kernels/families/PortableKernels.h"

#include "codegen/kernels/families/AttachKernels.h"
#include "dialects/nn/Nn.h"

namespace sbp {

void attachPortableKernels(mlir::MLIRContext& context) {
  attachBatchNormKernels(context);
  attachElementwiseKernels(context);
  attachNormalizationKernels(context);
  attachOptimizerKernels(context);
  attachRearrangementKernels(context);
  attachSoftmaxKernels(context);
}

void registerPortableKernels(mlir::DialectRegistry& registry) {
  registry.addExtension(+[](mlir::MLIRContext* context, nn::NnDialect*) {
    attachPortableKernels(*context);
  });
}

}  // namespace sbp
