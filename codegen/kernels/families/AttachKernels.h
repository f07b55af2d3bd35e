// Attaches KernelOpInterface, which emits kernels for all targets, to ops of
// the nn dialect.
//
// Each function attaches the interface to the ops of one family, and has a .cpp
// file of its own. PortableKernels.cpp calls all these functions.

#ifndef CODEGEN_KERNELS_FAMILIES_ATTACHKERNELS_H_
#define CODEGEN_KERNELS_FAMILIES_ATTACHKERNELS_H_

namespace mlir {
class MLIRContext;
}  // namespace mlir

namespace sbp {

void attachBatchNormKernels(mlir::MLIRContext& context);
void attachElementwiseKernels(mlir::MLIRContext& context);
void attachNormalizationKernels(mlir::MLIRContext& context);
void attachOptimizerKernels(mlir::MLIRContext& context);
void attachRearrangementKernels(mlir::MLIRContext& context);
void attachSoftmaxKernels(mlir::MLIRContext& context);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_FAMILIES_ATTACHKERNELS_H_
