#include "codegen/kernels/families/PortableKernels.h"

#include "codegen/kernels/families/AttachKernels.h"

namespace sbp {

void attachPortableKernels(mlir::MLIRContext& context) {
  attachBatchNormKernels(context);
  attachElementwiseKernels(context);
  attachNormalizationKernels(context);
  attachOptimizerKernels(context);
  attachRearrangementKernels(context);
  attachSoftmaxKernels(context);
}

}  // namespace sbp
