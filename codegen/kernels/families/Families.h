// One function per family of ops, which attaches the family's kernels to its
// ops. PortableKernels.cpp calls them all.

#ifndef CODEGEN_KERNELS_FAMILIES_FAMILIES_H_
#define CODEGEN_KERNELS_FAMILIES_FAMILIES_H_

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

#endif  // CODEGEN_KERNELS_FAMILIES_FAMILIES_H_
