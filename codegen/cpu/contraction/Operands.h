// The tensors of a contraction, advanced by its loops. Internal to this folder.

#ifndef CODEGEN_CPU_CONTRACTION_OPERANDS_H_
#define CODEGEN_CPU_CONTRACTION_OPERANDS_H_

#include "codegen/kernels/Contraction.h"
#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cpu {

/// The elements of A, B and C at which the current iteration of the outer loops
/// begins.
struct Operands {
  ElementRef a, b, c;
};

/// Returns the extents of `loops`.
llvm::SmallVector<int64_t> extentsOf(llvm::ArrayRef<ContractionLoop> loops);

/// Returns `operands` advanced to iteration `indices` of `loops`, by the
/// strides of the loops.
Operands advance(KernelBuilder& builder, Operands operands,
                 llvm::ArrayRef<ContractionLoop> loops,
                 mlir::ValueRange indices);

/// Returns an i1: whether all of `indices` are zero.
mlir::Value allZero(KernelBuilder& builder, mlir::ValueRange indices);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_OPERANDS_H_
