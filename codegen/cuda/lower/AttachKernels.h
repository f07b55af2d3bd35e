// Attaches CudaKernelOpInterface, which emits CUDA kernels, to the ops that
// have kernels of their own on a GPU.
//
// Each function attaches the interface to the ops of one family, and has a .cpp
// file of its own. Kernels.cpp calls all these functions. Kernels that are
// written once for all targets are attached elsewhere
// (codegen/kernels/families/PortableKernels.h).

#ifndef CODEGEN_CUDA_LOWER_ATTACHKERNELS_H_
#define CODEGEN_CUDA_LOWER_ATTACHKERNELS_H_

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
/// Only the gradients: the forward ops have portable kernels.
void attachNormalizationGradKernels(mlir::MLIRContext& context);
void attachPoolKernels(mlir::MLIRContext& context);
void attachReduceKernels(mlir::MLIRContext& context);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_ATTACHKERNELS_H_
