// The operands of a contraction as its loops move through them. Internal to the
// contraction's code.

#ifndef CODEGEN_CPU_CONTRACTION_OPERANDS_H_
#define CODEGEN_CPU_CONTRACTION_OPERANDS_H_

#include "codegen/kernels/Contraction.h"
#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cpu {

/// Where the three matrices begin.
struct Operands {
  ElementRef a, b, c;
};

llvm::SmallVector<int64_t> extentsOf(llvm::ArrayRef<ContractionLoop> loops);

/// The operands after `indices` steps of `loops`.
Operands advance(KernelBuilder& builder, Operands operands,
                 llvm::ArrayRef<ContractionLoop> loops,
                 mlir::ValueRange indices);

/// Whether all of `indices` are zero: an i1.
mlir::Value allZero(KernelBuilder& builder, mlir::ValueRange indices);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_OPERANDS_H_
