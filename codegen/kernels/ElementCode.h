// The code that computes one element of each result of an element-wise op from
// one element of each operand.

#ifndef CODEGEN_KERNELS_ELEMENTCODE_H_
#define CODEGEN_KERNELS_ELEMENTCODE_H_

#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/ParallelLoops.h"
#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Emits the code of element-wise ops in the loops of one kernel.
class ElementCode {
 public:
  ElementCode(KernelBuilder& builder, const ParallelLoops& loops)
      : builder_(builder), loops_(loops), arithmetic_(builder) {}

  /// Whether `op` has such code: it is an ElementwiseOpInterface, or a
  /// rank.fused whose body has only such ops, and constants of one repeated
  /// element.
  static bool existsFor(mlir::Operation* op);

  /// Emits the code of `op` for the elements `operands`, and returns one
  /// element of each result. The elements of a rank.fused have the bits that
  /// its ops compute one by one: each is rounded to the element type of its
  /// tensor.
  llvm::SmallVector<mlir::Value> emit(mlir::Operation* op,
                                      mlir::ValueRange operands);

 private:
  llvm::SmallVector<mlir::Value> emitFused(rank::FusedOp op,
                                           mlir::ValueRange operands);
  /// Returns the repeated element of `op`, in as many lanes as `prototype` has.
  mlir::Value constant(nn::ConstantOp op, mlir::Value prototype);
  /// Returns the value that `element` would have if it were stored to `tensor`
  /// and loaded again.
  mlir::Value rounded(mlir::Value element, mlir::Value tensor);

  KernelBuilder& builder_;
  const ParallelLoops& loops_;
  Arithmetic arithmetic_;
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_ELEMENTCODE_H_
