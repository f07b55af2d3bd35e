// One function per family of ops, which attaches the family's kernels to its
// ops. Kernels.cpp calls them all.

#ifndef CODEGEN_CUDA_LOWER_FAMILIES_H_
#define CODEGEN_CUDA_LOWER_FAMILIES_H_

namespace mlir {
class MLIRContext;
}  // namespace mlir

namespace sbp::cuda {

void attachAttentionKernels(mlir::MLIRContext& context);
void attachBatchNormSumsKernels(mlir::MLIRContext& context);
void attachConvolutionKernels(mlir::MLIRContext& context);
void attachDataMovementKernels(mlir::MLIRContext& context);
void attachEinsumKernels(mlir::MLIRContext& context);
void attachEmbeddingKernels(mlir::MLIRContext& context);
void attachLossKernels(mlir::MLIRContext& context);
void attachNormalizationGradKernels(mlir::MLIRContext& context);
void attachPoolKernels(mlir::MLIRContext& context);
void attachReduceKernels(mlir::MLIRContext& context);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_FAMILIES_H_
