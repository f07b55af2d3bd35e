// The kernel that an op has for all targets: one that the op emits itself
// (KernelOpInterface), or one that follows from the op's formula for an element
// (ElementwiseOpInterface). A rank.fused has the formulas of its body.

#ifndef CODEGEN_KERNELS_COMMONKERNEL_H_
#define CODEGEN_KERNELS_COMMONKERNEL_H_

#include <optional>

#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/KernelOp.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// The common kernel of one op.
class CommonKernel {
 public:
  /// Returns the kernel of `op`, or nullopt if the op has none.
  static std::optional<CommonKernel> of(mlir::Operation* op);

  /// Whether result `result` may be written to the buffer of operand `operand`.
  bool canWriteInPlace(unsigned result, unsigned operand) const;

  /// Emits the code of the kernel.
  void build(KernelBuilder& builder, const KernelArguments& arguments) const;

 private:
  explicit CommonKernel(mlir::Operation* op) : op_(op) {}

  mlir::Operation* op_;
  KernelOpInterface own_;  // null if the kernel is made of formulas
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_COMMONKERNEL_H_
