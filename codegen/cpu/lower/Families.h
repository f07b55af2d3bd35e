// The families of CPU kernels: each attaches the interface to its ops.

#ifndef CODEGEN_CPU_LOWER_FAMILIES_H_
#define CODEGEN_CPU_LOWER_FAMILIES_H_

namespace mlir {
class MLIRContext;
}  // namespace mlir

namespace sbp::cpu {

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

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_FAMILIES_H_
